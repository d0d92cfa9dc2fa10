import { until } from '@swim/testing';
import { MailServer } from '@swim/testing/mail-server';

const TOKEN = /#token=([\w.-]+)/;

/** The mail server of a stack. */
export class Mailbox {
  private constructor(private readonly server: MailServer) {}

  static async open(): Promise<Mailbox> {
    return new Mailbox(await MailServer.start());
  }

  /** What the processes of a stack need to send mails here. */
  get env(): Record<string, string> {
    return {
      SMTP_URL: this.server.url,
      MAIL_FROM: 'Swim Lessons <lessons@swim.test>',
      PUBLIC_URL: 'http://swim.test',
    };
  }

  /** The text of the nth mail to an address, once it has arrived; the first without `n`. */
  async textTo(address: string, n = 1): Promise<string> {
    const mail = await until(() => this.server.to(address)[n - 1], `mail ${n} to ${address} has arrived`);
    return mail.email.text ?? '';
  }

  /** The token of the link in the nth mail to an address. */
  async tokenTo(address: string, n = 1): Promise<string> {
    const [, token] = TOKEN.exec(await this.textTo(address, n)) ?? [];
    if (token === undefined) throw new Error(`Mail ${n} to ${address} has no link with a token.`);
    return token;
  }

  /** How many mails an address has. */
  countTo(address: string): number {
    return this.server.to(address).length;
  }

  close(): Promise<void> {
    return this.server.stop();
  }
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail that the server has accepted. */
export interface ReceivedMail {
  /** Addresses of the envelope. */
  to: string[];
  email: Email;
  raw: string;
}

/** An answer other than acceptance: an SMTP reply code with its text, at RCPT TO or after DATA. */
export interface Rejection {
  at: 'rcpt' | 'data';
  code: number;
  text: string;
}

/** A real SMTP server that keeps what it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Decides on a mail to this address; null accepts. */
  reject: (address: string) => Rejection | null = () => null;
  /** Runs before a mail is accepted. */
  beforeAccepting: () => Promise<void> = async () => undefined;
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => done(this.errorAt('rcpt', address)),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void this.take(session, Buffer.concat(chunks)).then(() => done(), done));
      },
    });
    // A crashed client resets its connection.
    this.server.on('error', () => undefined);
  }

  static async start(port = 0): Promise<MailServer> {
    const mails = new MailServer();
    mails.server.listen(port, '127.0.0.1');
    await once(mails.server.server, 'listening');
    return mails;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Mails to an address, in the order of their arrival. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take({ envelope }: SMTPServerSession, bytes: Buffer): Promise<void> {
    const to = envelope.rcptTo.map(({ address }) => address);
    const error = this.errorAt('data', to[0]!);
    if (error) throw error;
    await this.beforeAccepting();
    this.received.push({ to, raw: bytes.toString('latin1'), email: await PostalMime.parse(bytes) });
  }

  private errorAt(at: Rejection['at'], address: string): Error | null {
    const rejection = this.reject(address);
    if (rejection?.at !== at) return null;
    return Object.assign(new Error(rejection.text), { responseCode: rejection.code });
  }
}

import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, LOGGER, type Logger, whenChanged } from '@swim/platform';
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import type { Config } from '../../config.js';
import { type Outcome, outcomeOf, replyCode, type SmtpFailure } from './mail.rules.js';

const CONNECTIONS = 4;
const SILENT_MS = 20_000;
/** A server that answers slowly, but answers, ends a try too. */
const MOST_MS = 45_000;

/** A calendar object as part of a mail: shown by the mail program, and attached. */
export interface Invitation {
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  content: string;
}

/** A mail to one address. Nothing in its headers is a text that somebody wrote. */
export interface Mail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  invitation: Invitation | null;
  /** Ends messages of this kind (RFC 8058); null for those that cannot be ended. */
  unsubscribeUrl: string | null;
}

/** Sends mails by SMTP. Without SMTP_URL none is sent. */
@Injectable()
export class SmtpTransport implements OnModuleInit, BeforeApplicationShutdown {
  private transporter: Transporter<SMTPPool.SentMessageInfo> | null = null;
  private readonly from: string;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.from = config.MAIL_FROM ?? '';
    this.connect();
    whenChanged(config, (names) => names.includes('SMTP_URL') && this.connect());
  }

  private connect(): void {
    const [former, { SMTP_URL: url }] = [this.transporter, this.config];
    this.transporter = url === undefined ? null : createTransport({ ...OPTIONS, url });
    // Mails that it is sending end by then.
    if (former) setTimeout(() => former.close(), MOST_MS).unref();
  }

  onModuleInit(): void {
    if (!this.isConfigured) this.logger.warn('SMTP_URL is not set: no e-mails are sent');
  }

  beforeApplicationShutdown(): void {
    this.transporter?.close();
  }

  get isConfigured(): boolean {
    return this.transporter !== null;
  }

  /** The address that mails come from, without its name. */
  get sender(): string {
    return /<([^<>]+)>\s*$/.exec(this.from)?.[1] ?? this.from;
  }

  /**
   * Sends a mail; resolves with what the server answered. A try without an answer in time ends with its connection, and its
   * outcome is not known.
   */
  async send({ messageId, to, subject, text, html, invitation, unsubscribeUrl }: Mail): Promise<Outcome> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), MOST_MS).unref();
    try {
      const { response } = await this.transporter!.sendMail({
        signal: ending.signal,
        messageId,
        from: this.from,
        // As an object: an address is never parsed as a list of several.
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...(invitation ? { icalEvent: { ...invitation, filename: 'lesson.ics' } } : {}),
        headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribeUrl ? oneClick(unsubscribeUrl) : {}) },
      });
      return { kind: 'sent', response: replyCode(response) };
    } catch (error) {
      return outcomeOf(error as SmtpFailure);
    } finally {
      clearTimeout(timer);
    }
  }
}

const OPTIONS: SMTPPool.Options = {
  pool: true,
  maxConnections: CONNECTIONS,
  connectionTimeout: SILENT_MS / 2,
  greetingTimeout: SILENT_MS / 2,
  socketTimeout: SILENT_MS,
  // No content comes from a file or another server.
  disableFileAccess: true,
  disableUrlAccess: true,
};

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

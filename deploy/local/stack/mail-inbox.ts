import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const HOST = '127.0.0.1';
const MOST_KEPT = 200;
const MOST_BYTES = 1024 * 1024;

interface ReceivedMail {
  id: number;
  receivedAt: string;
  to: string[];
  email: Email;
}

/** A mail server that delivers nothing, and a page that shows the received mails. */
export interface MailInbox {
  /** The value of SMTP_URL for the services. */
  smtpUrl: string;
  /** The address of the page; `/messages.json` below it returns the mails as JSON. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts the inbox on free ports of this machine. It keeps the newest 200 mails in memory. */
export async function startMailInbox(): Promise<MailInbox> {
  const mails: ReceivedMail[] = [];
  let count = 0;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MOST_BYTES,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const email = await PostalMime.parse(Buffer.concat(chunks));
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.unshift({ id: ++count, receivedAt: new Date().toISOString(), to, email });
        mails.length = Math.min(mails.length, MOST_KEPT);
        done();
      });
    },
  });
  // A client that resets its connection must not end the server.
  smtp.on('error', () => {});
  const page = createServer((request, response) => answer(request.url ?? '/', mails, response));
  smtp.listen(0, HOST);
  page.listen(0, HOST);
  await Promise.all([once(smtp.server, 'listening'), once(page, 'listening')]);
  return {
    smtpUrl: `smtp://${HOST}:${portOf(smtp.server)}`,
    url: `http://${HOST}:${portOf(page)}`,
    async stop() {
      page.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise((resolve) => page.close(resolve)),
      ]);
    },
  };
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

function answer(path: string, mails: readonly ReceivedMail[], response: ServerResponse): void {
  const [, id, isBare] = /^\/(\d+)(\.html)?$/.exec(path) ?? [];
  const mail = mails.find((each) => String(each.id) === id);
  if (mail) send(response, 'text/html', isBare ? (mail.email.html ?? '') : mailPage(mail));
  else if (path === '/') send(response, 'text/html', listPage(mails));
  else if (path === '/messages.json') send(response, 'application/json', JSON.stringify(mails.map(toJson)));
  else response.writeHead(404).end();
}

function send(response: ServerResponse, type: string, body: string): void {
  // The policy forbids a mail to run code.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'";
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy });
  response.end(body);
}

const toJson = ({ id, receivedAt, to, email }: ReceivedMail) => ({
  id,
  received_at: receivedAt,
  to,
  from: email.from?.address ?? null,
  subject: email.subject ?? '',
  message_id: email.messageId ?? null,
  headers: Object.fromEntries(email.headers.map(({ key, value }) => [key, value])),
  text: email.text ?? '',
  html: email.html ?? '',
  attachments: email.attachments.map(({ filename, mimeType, content }) => ({
    filename,
    type: mimeType,
    content: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString(),
  })),
});

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const document = (title: string, body: string): string => `<!doctype html><meta charset="utf-8">
<title>${escaped(title)}</title><style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{width:100%;border-collapse:collapse}td{padding:.4rem;border-bottom:1px solid #ddd}pre{white-space:pre-wrap;overflow-wrap:anywhere}
iframe{width:100%;height:24rem;border:1px solid #ddd}</style>${body}`;

function listPage(mails: readonly ReceivedMail[]): string {
  const rows = mails.map(
    ({ id, receivedAt, to, email }) =>
      `<tr><td>${receivedAt}</td><td>${escaped(to.join(', '))}</td><td><a href="/${id}">${escaped(email.subject ?? '')}</a></td></tr>`,
  );
  const body = rows.length > 0 ? `<table>${rows.join('')}</table>` : '<p>No e-mails yet: book a lesson.</p>';
  return document('Inbox', `<h1>Inbox</h1><p>E-mails that the product sent. Nothing leaves this machine.</p>${body}`);
}

function mailPage({ id, to, email }: ReceivedMail): string {
  const attachments = email.attachments.map(({ filename }) => escaped(filename ?? '')).join(', ');
  return document(
    email.subject ?? '',
    `<p><a href="/">Inbox</a></p><h1>${escaped(email.subject ?? '')}</h1><p>To ${escaped(to.join(', '))}${attachments ? ` · ${attachments}` : ''}</p>
<iframe sandbox="allow-popups" src="/${id}.html"></iframe><pre>${escaped(email.text ?? '')}</pre>`,
  );
}

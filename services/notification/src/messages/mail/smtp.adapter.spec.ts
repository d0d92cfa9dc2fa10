import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@swim/platform';
import { until } from '../../../../../libs/testing/src/waiting/until.js';
import { type Mail, SmtpTransport } from './smtp.adapter.js';

const MOST_MS = 45_000;
const CONNECTIONS = 4;

const mail: Mail = {
  messageId: '<1@swim.example>',
  to: 'ada@example.test',
  subject: 'Booked',
  text: 'Booked',
  html: '<p>Booked</p>',
  invitation: null,
  unsubscribeUrl: null,
};
const SENT = { kind: 'sent', response: '250' };
const RETRIED = { kind: 'retried', response: null };

const replyTo = (line: string): string => {
  if (line === 'DATA') return '354 go on\r\n';
  return /^(EHLO|MAIL|RCPT|\.$)/.test(line) ? '250 ok\r\n' : '';
};

const sockets = new Set<Socket>();
let server: Server;
let isSlow: boolean;
let transport: SmtpTransport;

async function listen(port = 0): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    const trickle = setInterval(() => isSlow && socket.write('250-still here\r\n'), 20);
    socket.once('close', () => clearInterval(trickle));
    socket.write('220 ready\r\n');
    socket.on('data', (bytes) => {
      if (!isSlow) for (const line of bytes.toString().split('\r\n').slice(0, -1)) socket.write(replyTo(line));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function stop(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}

const transportTo = (port: number) =>
  new SmtpTransport(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'lessons@swim.example' } as never,
    createLogger('tests', 'silent'),
  );

beforeEach(() => {
  isSlow = false;
});
afterEach(async () => {
  jest.restoreAllMocks();
  transport.beforeApplicationShutdown();
  await stop();
});

describe('a mail server', () => {
  it('that answers without end ends no more than the tries and their connections', async () => {
    const { setTimeout: start } = globalThis;
    const sooner = (work: () => void, ms: number) => start(work, ms === MOST_MS ? 300 : ms);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as never);
    isSlow = true;
    transport = transportTo(await listen());
    const tries = await Promise.all(Array.from({ length: CONNECTIONS }, () => transport.send(mail)));
    expect(tries).toEqual(tries.map(() => RETRIED));
    await until(() => sockets.size === 0, 'their connections are closed');
    isSlow = false;
    await until(async () => (await transport.send(mail)).kind === SENT.kind, 'the next mail is sent');
  });

  it('that restarts gets the next mail', async () => {
    const port = await listen();
    transport = transportTo(port);
    expect(await transport.send(mail)).toEqual(SENT);
    await stop();
    expect(await transport.send(mail)).toEqual(RETRIED);
    await listen(port);
    expect(await transport.send(mail)).toEqual(SENT);
  });
});

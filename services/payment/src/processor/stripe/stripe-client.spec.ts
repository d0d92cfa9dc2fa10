import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { stripeClient } from './stripe-client.js';

const IN_TIME_MS = 20_000;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const CUSTOMER = '{"id":"cus_1","object":"customer"}';

let server: Server;
const sockets = new Set<Socket>();
const listen = async (port: number, answer: (socket: Socket) => void): Promise<number> => {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', () => answer(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};
const stop = async (): Promise<void> => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => server.close(resolve));
};
afterEach(stop);

const clientOf = (port: number, timeoutMs: number) =>
  stripeClient('sk_test', { STRIPE_API_URL: `http://127.0.0.1:${port}`, PROCESSOR_TIMEOUT_MS: timeoutMs } as never);

const BEGUN = [
  ['head', `${HEAD}x-more: `],
  ['body', `${HEAD}content-length: 100000\r\n\r\n`],
] as const;
const endsInTime = async (_: string, begun: string) => {
  const port = await listen(0, (socket) => {
    socket.write(begun);
    const trickle = setInterval(() => socket.write(' '), 50);
    socket.once('close', () => clearInterval(trickle));
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const request = clientOf(port, 400).customers.retrieve('cus_1');
  const [socket] = await connected;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await expect(request).rejects.toThrow();
  await closed;
};
it.each(BEGUN)(
  'an answer that arrives byte by byte in its %s ends in time, with its connection',
  endsInTime,
  IN_TIME_MS,
);

it('a processor that restarts is reached again', async () => {
  const answer = (socket: Socket) => socket.write(`${HEAD}content-length: ${CUSTOMER.length}\r\n\r\n${CUSTOMER}`);
  const port = await listen(0, answer);
  const client = clientOf(port, IN_TIME_MS);
  expect((await client.customers.retrieve('cus_1')).id).toBe('cus_1');
  await stop();
  await expect(client.customers.retrieve('cus_1')).rejects.toThrow();
  await listen(port, answer);
  expect((await client.customers.retrieve('cus_1')).id).toBe('cus_1');
});

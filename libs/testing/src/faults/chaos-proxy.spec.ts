import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../waiting/until.js';
import { ChaosProxy } from './chaos-proxy.js';

let server: Server;
let proxy: ChaosProxy;
let received: string;
const open: Socket[] = [];

// The server replies to each chunk in capitals.
beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    open.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes;
      socket.write(String(bytes).toUpperCase());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await ChaosProxy.before(`tcp://127.0.0.1:${(server.address() as { port: number }).port}`);
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Connects a client to the proxy and records the received chunks and the end of the connection. */
async function join(): Promise<{ socket: Socket; pieces: string[]; ending: () => string | null }> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.uri).port) });
  open.push(socket);
  const pieces: string[] = [];
  let ending: string | null = null;
  socket.on('data', (bytes) => void pieces.push(String(bytes)));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    ending = error.code ?? error.message;
  });
  socket.on('close', () => {
    ending ??= 'closed';
  });
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return { socket, pieces, ending: () => ending };
}

describe('the proxy', () => {
  it('passes on data in both directions', async () => {
    const { socket, pieces } = await join();
    socket.write('hello');
    await until(() => pieces.join('') === 'HELLO', 'the answer is there');
    expect(received).toBe('hello');
  });

  it('delays each chunk, in order, also when the latency is reset meanwhile', async () => {
    const { socket, pieces } = await join();
    proxy.disturb({ latencyMs: 60 });
    socket.write('first ');
    await until(() => socket.bytesWritten === 6, 'it is sent');
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    proxy.disturb({});
    socket.write('second');
    await until(() => pieces.join('') === 'FIRST SECOND', 'both are answered');
    expect(received).toBe('first second');
  });

  it('adds its latency in both directions', async () => {
    proxy.disturb({ latencyMs: 40 });
    const { socket, pieces } = await join();
    const beganMs = performance.now();
    socket.write('hello');
    await until(() => pieces.join('') === 'HELLO', 'the answer is there');
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(78);
  });

  it('slices data into chunks, and loses none', async () => {
    proxy.disturb({ sliceBytes: 1 });
    const { socket, pieces } = await join();
    socket.write('hello'.repeat(100));
    await until(() => pieces.join('') === 'HELLO'.repeat(100), 'the answer is there');
    expect(received).toBe('hello'.repeat(100));
  });

  it('drops replies, after the work was done', async () => {
    proxy.disturb({ loseAnswers: true });
    const { socket, pieces, ending } = await join();
    socket.write('hello');
    await until(() => ending() !== null, 'the connection is gone');
    expect([received, pieces]).toEqual(['hello', []]);
  });

  it('resets all connections at once, and accepts new ones', async () => {
    const all = [await join(), await join()];
    for (const { socket } of all) socket.write('hello');
    await until(() => all.every(({ pieces }) => pieces.join('') === 'HELLO'), 'the proxy has taken both');
    proxy.cut();
    await until(() => all.every(({ ending }) => ending() !== null), 'they are gone');
    const { socket, pieces } = await join();
    socket.write('again');
    await until(() => pieces.join('') === 'AGAIN', 'the answer is there');
  });

  it('rejects connections while it is unreachable', async () => {
    const before = await join();
    proxy.disturb({ unreachable: true });
    await until(() => before.ending() !== null, 'it is gone');
    const during = await join();
    await until(() => during.ending() !== null, 'it is rejected');
    proxy.disturb({});
    const { socket, pieces } = await join();
    socket.write('again');
    await until(() => pieces.join('') === 'AGAIN', 'the answer is there');
    expect(received).toBe('again');
  });
});

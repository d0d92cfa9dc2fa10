import crypto from 'node:crypto';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// The range lies below that of outgoing connections, so that a restarted process finds its port free, and below that of
// tests (libs/testing/src/servers/nats-server.ts), which may run at the same time.
const LOWEST = 11_000;
const HIGHEST = 20_000;
const handedOut = new Set<number>();

/** @returns a port of 127.0.0.1 that is free and was not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = crypto.randomInt(LOWEST, HIGHEST);
    if (handedOut.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue;
    handedOut.add(port);
    return port;
  }
}

/**
 * @param host - an address of this machine; without it every address is meant.
 * @returns whether a server could listen there now.
 */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * @param port - a port of 127.0.0.1.
 * @returns whether a server accepts connections there.
 */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', timeout: 1000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false));
  });
}

/**
 * Polls with a pause that grows from 20 to 250 ms.
 * @param isAbandoned - ends the wait early.
 * @returns false after the time-out or when it was abandoned.
 */
export async function waitUntil(
  check: () => Promise<boolean>,
  withinMs: number,
  isAbandoned: () => boolean = () => false,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    if (await check()) return true;
    if (isAbandoned() || Date.now() > deadline) return false;
    await sleep(pauseMs);
  }
}

import type { Socket } from 'node:net';

const LINGER_MS = 2_000;

/**
 * Ends a connection on which the client may still be sending: our half is closed once the answer is out, and what arrives
 * is thrown away for a while. Closed outright, the system would reset the connection, and the client lose the answer.
 */
export function linger(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** The same, as soon as Node has written the answer and wants to close the connection. */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => linger(socket);
}

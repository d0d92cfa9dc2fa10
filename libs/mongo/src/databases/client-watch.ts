import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Logger } from '@swim/platform';
import type { mongo } from 'mongoose';

/**
 * Limits how long a client waits for its database. A request that finds no server or no connection fails while its sender still
 * waits; a command that is not answered closes its connection, later than any request ends. The driver looks at each server every
 * 5 s, and every half second while it is away.
 */
export const CLIENT_OPTIONS = {
  serverSelectionTimeoutMS: 1_000,
  waitQueueTimeoutMS: 2_000,
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 20_000,
  heartbeatFrequencyMS: 5_000,
} as const;

/** More than the longest wait between two heartbeats: a connect and a handshake that both reach their time-out. */
const SILENT_SECONDS = 15;

const NEW_SOCKET = 'net.client.socket';
/** The clients of the process. A socket needs one listener however many they are. */
let clients = 0;

const drainWhenClosed = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  socket.once('close', () => socket.emit('drain'));
};

/**
 * Releases what waits to write to a closed connection, until the function that it returns is called. MongoDB's driver (7.9.0, and
 * its main branch of August 2026) waits for `drain` when `write` returns false. A socket that was destroyed a moment before also returns
 * false, without an error, and only `close` follows: the heartbeat would be the last one of its server, the operation would keep
 * its connection for ever. After a `drain` the driver finds the connection closed, and rejects. Other users of sockets have no
 * writer left when a socket closes.
 */
export function releaseWriters(): () => void {
  if (clients++ === 0) subscribe(NEW_SOCKET, drainWhenClosed);
  return () => {
    if (--clients === 0) unsubscribe(NEW_SOCKET, drainWhenClosed);
  };
}

/**
 * Ends the process when the driver has not looked at a server of the database for 15 s, whatever the reason: it would never
 * find the server again. Its supervisor starts another one. Seconds are counted, not compared with a clock, so that a
 * process that was suspended first continues. Returns the function that ends the watch.
 */
export function exitWhenSilent(client: mongo.MongoClient, logger: Logger): () => void {
  const silentSeconds = new Map<string, number>();
  const reset = ({ connectionId: server }: { connectionId: string }): void => {
    // A result may arrive after its server was removed.
    if (silentSeconds.has(server)) silentSeconds.set(server, 0);
  };
  client.on('serverHeartbeatStarted', ({ connectionId: server }) => silentSeconds.set(server, 0));
  client.on('serverHeartbeatSucceeded', reset);
  client.on('serverHeartbeatFailed', reset);
  client.on('serverClosed', ({ address }) => silentSeconds.delete(address));
  const timer = setInterval(() => {
    for (const [server, seconds] of silentSeconds) {
      silentSeconds.set(server, seconds + 1);
      if (seconds < SILENT_SECONDS) continue;
      logger.fatal({ component: 'database' }, `no heartbeat of the database for ${SILENT_SECONDS} s: the process ends`);
      process.exit(1);
    }
  }, 1_000).unref();
  return () => clearInterval(timer);
}

import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@swim/platform';

/**
 * Connects for good: reconnects without end, and ends the process when the connection closes all the same, so that no
 * process lives on deaf. `noAsyncTraces` spares two Error objects for each request.
 */
export async function connectNats(servers: string, name: string, logger: Logger): Promise<NatsConnection> {
  const connection = await connect({
    servers: servers.split(','),
    name,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: true,
    pingInterval: 10_000,
    maxPingOut: 3,
  });
  void logStatus(connection, logger);
  return connection;
}

async function logStatus(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect' || status.type === 'error') {
      logger.warn({ state: status.type }, 'nats connection changed');
    }
  }
}

/** Ends the process when the connection closes and nobody asked for it. */
export function exitWhenClosed(connection: NatsConnection, isClosing: () => boolean, logger: Logger): void {
  void connection.closed().then((error) => {
    if (isClosing()) return;
    logger.fatal({ err: error }, 'nats connection closed');
    process.exit(1);
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  createInbox,
  errors,
  type NatsConnection,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import type { ProcessName } from '@swim/contracts';
import { AppError, type Logger } from '@swim/platform';
import { measureCertificates } from './certificate-ends.js';
import { type BusAccount, type BusProcess, inboxOf, userOf } from './users.js';

export interface BusConfig {
  /** One or more addresses, comma-separated; a user and password in the first are used for everything. */
  NATS_URL: string;
  /** Password of this process's users; absent where the server requires none. */
  NATS_PASSWORD?: string | undefined;
  /** File of the CA certificates for the server's certificate; when set, TLS is required. */
  NATS_TLS_CA?: string | undefined;
}

/** Requests and replies have one connection of a process; events, streams and counters have the other. */
export interface Bus {
  readonly rpc: NatsConnection;
  readonly events: NatsConnection;
}

/** With these options, a JetStream request that is lost with the connection times out sooner than by default. */
export const JETSTREAM = { checkAPI: false, timeout: 2_000 };

const RETRY_MS = 250;
const DIAL_MS = 5_000;
/** A connection is attempted every quarter of a second, so this logs one line each half minute. */
const ATTEMPTS_PER_LINE = 120;

/**
 * Connects permanently: it retries until the server is there, logs the reason of each failure, reconnects without
 * limit, and ends the process when the connection closes nevertheless, so that no process runs without NATS.
 * `noAsyncTraces` saves two Error objects per request.
 */
export async function connectNats(
  servers: string,
  name: string,
  logger: Logger,
  options: ConnectionOptions = {},
): Promise<NatsConnection> {
  const { addresses, ...credentials } = readAddresses(servers);
  const { waitOnFirstConnect: waits = true, ...others } = options;
  const all = {
    servers: addresses,
    name,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    // The default is a second with TLS, and 20 seconds for a server that accepts and does not answer.
    reconnectJitterTLS: RETRY_MS,
    timeout: DIAL_MS,
    pingInterval: 10_000,
    maxPingOut: 3,
    // While a password is changed, NATS and the process may know different ones.
    ignoreAuthErrorAbort: true,
    ...others,
    ...credentials,
  };
  const connection = await (waits ? connectAtLast(all, logger) : connect(all));
  void logStatus(connection, logger);
  return connection;
}

// The client could wait for the first connection too, but would not log why.
async function connectAtLast(options: ConnectionOptions, logger: Logger): Promise<NatsConnection> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await connect(options);
    } catch (error) {
      if (attempt % ATTEMPTS_PER_LINE === 0) logger.warn({ err: error }, 'nats cannot be reached; trying again');
      await sleep(RETRY_MS);
    }
  }
}

export async function connectAccount(process: BusProcess, account: BusAccount, config: BusConfig, logger: Logger) {
  const connection = await connectNats(config.NATS_URL, `${process} ${account}`, logger, {
    inboxPrefix: inboxOf(process),
    // Each attempt to connect takes the password as it is then.
    ...(config.NATS_PASSWORD
      ? { authenticator: usernamePasswordAuthenticator(userOf(process, account), () => config.NATS_PASSWORD ?? '') }
      : {}),
    ...(config.NATS_TLS_CA ? { tls: { caFile: config.NATS_TLS_CA } } : {}),
  });
  if (config.NATS_TLS_CA) measureCertificates(connection, config.NATS_TLS_CA);
  return connection;
}

export async function connectBus(process: ProcessName, config: BusConfig, logger: Logger): Promise<Bus> {
  const open = (account: BusAccount) => connectAccount(process, account, config, logger);
  const [rpc, events] = await Promise.all([open('rpc'), open('events')]);
  return { rpc, events };
}

const FAULTS = [
  errors.TimeoutError,
  errors.NoRespondersError,
  errors.RequestError,
  errors.ConnectionError,
  errors.ClosedConnectionError,
  errors.DrainingConnectionError,
];

/** Returns `unavailable` for a fault of NATS or JetStream that may pass by itself; null for any other error. */
export function explainBusFault(error: unknown): AppError | null {
  const isFault =
    FAULTS.some((Fault) => error instanceof Fault) || (error as { status?: unknown } | null)?.status === 503;
  return isFault ? new AppError('unavailable', { retryAfterSeconds: 1, cause: error }) : null;
}

/** Returns a reply subject that the permissions of this connection's user cover. */
export const newInbox = (connection: NatsConnection): string =>
  createInbox((connection as NatsConnection & { options?: ConnectionOptions }).options?.inboxPrefix);

// The client ignores credentials in an address.
function readAddresses(servers: string): { addresses: string[] } & Pick<ConnectionOptions, 'authenticator'> {
  const urls = servers.split(',').map((each) => new URL(each.includes('://') ? each : `nats://${each}`));
  const [first] = urls;
  const addresses = urls.map(({ protocol, host }) => `${protocol}//${host}`);
  if (!first?.username) return { addresses };
  const [user, password] = [first.username, first.password].map(decodeURIComponent);
  return { addresses, authenticator: usernamePasswordAuthenticator(user!, password) };
}

async function logStatus(connection: NatsConnection, logger: Logger): Promise<void> {
  let known = '';
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') known = '';
    else if (status.type !== 'error' || status.error.message === known) continue;
    // A refused password is refused with each attempt.
    else known = status.error.message;
    logger.warn(
      { state: status.type, ...(status.type === 'error' ? { err: status.error } : {}) },
      'nats connection changed',
    );
  }
}

export function exitWhenClosed(connection: NatsConnection, isClosing: () => boolean, logger: Logger): void {
  void connection.closed().then((error) => {
    if (isClosing()) return;
    logger.fatal({ err: error }, 'nats connection closed');
    process.exit(1);
  });
}

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Environment, KeyInvalidation } from '@swim/contracts';
import { keyDeliveries } from './streams.js';

/** The reader restarts after this silence. The gateway counts as disconnected much earlier. */
const ABANDONED_AFTER_MS = 2_000;
const WATCH_MS = 250;
const IDLE_HEARTBEAT = 100;

/** Subject of the invalidations of a key: `keys.<env>.<key id>`. */
export const keySubject = (env: Environment, keyId: string): string => `keys.${env}.${keyId}`;

export interface KeyInvalidationListener {
  /** Reading starts now: earlier invalidations may have been missed. */
  begin(): void;
  /** An invalidation or a heartbeat arrived. */
  alive(): void;
  /** An invalidation was missed, or may have been. */
  lose(): void;
  invalidate(invalidation: KeyInvalidation): void;
}

interface Options {
  connection: NatsConnection;
  env: Environment;
  listener: KeyInvalidationListener;
}

const readSequence = (ackSubject: string): number => {
  const tokens = ackSubject.split('.');
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.…, or with domain and account before the stream.
  return Number(tokens[tokens.length === 9 ? 6 : 8]);
};

/**
 * Reads the invalidations of one environment's keys in order, with a heartbeat every 250 ms. NATS delivers them to all
 * gateways from one consumer and numbers every delivery; a heartbeat repeats the last number, so that each gap is
 * detected. The reader restarts after a gap, a disconnection, or two seconds of silence. It acknowledges nothing.
 */
export class KeyInvalidationReader {
  private watch: NodeJS.Timeout | undefined;
  /** Null until the first delivery arrives. */
  private lastSequence: number | null = null;
  private receivedAtMs = performance.now();
  private readonly begun = Promise.withResolvers<void>();

  constructor(private readonly options: Options) {
    const callback = (error: Error | null, message: Msg) => (error ? this.begun.reject(error) : this.take(message));
    options.connection.subscribe(keyDeliveries(options.env), { callback });
  }

  /** Resolves once it reads, until the connection is closed; rejects when NATS does not permit it. */
  async start(): Promise<void> {
    this.watch = setInterval(() => this.lookAfter(), WATCH_MS).unref();
    void this.options.connection.closed().then(() => clearInterval(this.watch));
    void this.watchConnection();
    await this.begun.promise;
  }

  private async watchConnection(): Promise<void> {
    for await (const { type } of this.options.connection.status()) if (type === 'disconnect') this.lose();
  }

  private lookAfter(): void {
    if (performance.now() - this.receivedAtMs >= ABANDONED_AFTER_MS) this.lose();
  }

  private lose(): void {
    if (this.lastSequence === null) return;
    this.lastSequence = null;
    this.options.listener.lose();
  }

  private take(message: Msg): void {
    const { listener } = this.options;
    const isHeartbeat = message.headers?.code === IDLE_HEARTBEAT;
    const sequence = isHeartbeat
      ? Number(message.headers!.get('Nats-Last-Consumer'))
      : readSequence(message.reply ?? '');
    if (this.lastSequence !== null && sequence !== this.lastSequence + (isHeartbeat ? 0 : 1)) this.lose();
    if (this.lastSequence === null) {
      listener.begin();
      this.begun.resolve();
    }
    this.lastSequence = sequence;
    this.receivedAtMs = performance.now();
    if (!isHeartbeat) listener.invalidate(message.json<KeyInvalidation>());
    listener.alive();
  }
}

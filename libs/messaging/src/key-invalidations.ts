import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Environment, KeyInvalidation } from '@swim/contracts';
import type { Logger } from '@swim/platform';
import { JETSTREAM, newInbox } from './connection.js';
import { isMissing, type Streams } from './stream-keeper.js';
import { keyStream } from './streams.js';

const NS_PER_MS = 1_000_000;
const HEARTBEAT_MS = 250;
/** Silence after which the reader starts over. Long before, the gateway counts as disconnected. */
const ABANDONED_AFTER_MS = 2_000;
const WATCH_MS = 250;
const IDLE_HEARTBEAT = 100;

/** Subject of the invalidations of a key: `keys.<env>.<key id>`. */
export const keySubject = (env: Environment, keyId: string): string => `keys.${env}.${keyId}`;

/** Receives invalidations, and is notified of possible gaps. */
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
  logger: Logger;
  /** Creates the stream when it is missing. */
  streams: Streams;
}

const readSequence = (ackSubject: string): number => {
  const tokens = ackSubject.split('.');
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.…, or with domain and account before the stream.
  return Number(tokens[tokens.length === 9 ? 6 : 8]);
};

/**
 * Reads the invalidations of one environment's keys from now on, in order, with a heartbeat each 250 ms. The server numbers
 * every delivery, and heartbeats have the last number, so that each gap is detected. After a gap, or two seconds of silence,
 * it starts over. It acknowledges nothing, and reads no old messages.
 */
export class KeyInvalidationReader {
  private manager: JetStreamManager | undefined;
  private subscription: Subscription | undefined;
  private watch: NodeJS.Timeout | undefined;
  private beginning: Promise<void> | null = null;
  private lastSequence = 0;
  private receivedAtMs = 0;
  private stopped = false;

  constructor(private readonly options: Options) {}

  /** Resolves once it reads, until the connection is closed; rejects when JetStream does not permit it. */
  async start(): Promise<void> {
    void this.options.connection.closed().then(() => this.stop());
    await this.begin();
    this.watch = setInterval(() => this.lookAfter(), WATCH_MS).unref();
  }

  private stop(): void {
    this.stopped = true;
    clearInterval(this.watch);
  }

  private lookAfter(): void {
    if (performance.now() - this.receivedAtMs >= ABANDONED_AFTER_MS) this.beginAnew();
  }

  private beginAnew(): void {
    if (this.beginning || this.stopped) return;
    this.options.listener.lose();
    this.beginning = this.begin()
      .catch((error) =>
        this.options.logger.warn({ err: error, env: this.options.env }, 'key invalidations are not read yet'),
      )
      .finally(() => (this.beginning = null));
  }

  private async begin(): Promise<void> {
    const { connection, listener } = this.options;
    this.subscription?.unsubscribe();
    this.lastSequence = 0;
    this.receivedAtMs = performance.now();
    const inbox = newInbox(connection);
    const subscription = connection.subscribe(inbox, { callback: (_, message) => this.take(message, subscription) });
    this.subscription = subscription;
    await this.addConsumer(inbox);
    this.receivedAtMs = performance.now();
    listener.begin();
  }

  private async addConsumer(inbox: string): Promise<void> {
    const { connection, env, streams } = this.options;
    this.manager ??= await jetstreamManager(connection, JETSTREAM);
    const { consumers } = this.manager;
    const consumer = {
      deliver_subject: inbox,
      deliver_policy: DeliverPolicy.New,
      ack_policy: AckPolicy.None,
      idle_heartbeat: HEARTBEAT_MS * NS_PER_MS,
      inactive_threshold: 5_000 * NS_PER_MS,
      mem_storage: true,
      num_replicas: 1,
    };
    try {
      await consumers.add(keyStream(env), consumer);
    } catch (error) {
      if (!isMissing(error)) throw error;
      // After a NATS server has lost its data, the reader requests the missing stream.
      await streams.ensure();
      await consumers.add(keyStream(env), consumer);
    }
  }

  private take(message: Msg, from: Subscription): void {
    if (from !== this.subscription) return;
    const { listener } = this.options;
    const isHeartbeat = message.headers?.code === IDLE_HEARTBEAT;
    const sequence = isHeartbeat
      ? Number(message.headers!.get('Nats-Last-Consumer'))
      : readSequence(message.reply ?? '');
    if (sequence !== this.lastSequence + (isHeartbeat ? 0 : 1)) {
      this.beginAnew();
      return;
    }
    this.lastSequence = sequence;
    this.receivedAtMs = performance.now();
    if (!isHeartbeat) listener.invalidate(message.json<KeyInvalidation>());
    listener.alive();
  }
}

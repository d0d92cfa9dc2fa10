import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Environment, KeyNews } from '@swim/contracts';
import type { Logger } from '@swim/platform';

const NS_PER_MS = 1_000_000;
const HEARTBEAT_MS = 250;
/** Silence after which the reader begins anew. Long before that it no longer counts as hearing everything. */
const GIVEN_UP_AFTER_MS = 2_000;
const WATCH_MS = 250;
const IDLE_HEARTBEAT = 100;
const STREAM_MISSING = 10_059;

/** Stream of what has changed about the API keys of one environment. */
export const keyStream = (env: Environment): string => `KEYS_${env.toUpperCase()}`;

/** Subject of the news of a key: `keys.<env>.<key id>`. */
export const keySubject = (env: Environment, keyId: string): string => `keys.${env}.${keyId}`;

/** Whoever begins to read asks the owner of the keys about all it knows, so that old news are worth nothing. */
export const keyStreamConfig = (env: Environment) => ({
  name: keyStream(env),
  subjects: [`keys.${env}.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: 10 * 60_000 * NS_PER_MS,
  duplicate_window: 2 * 60_000 * NS_PER_MS,
});

/** Who is told the news, and whether any may have been missed. */
export interface KeyNewsListener {
  /** Reading begins now: what was said before may have been missed. */
  begin(): void;
  /** News, or the word that there are none. */
  alive(): void;
  /** Something was missed, or nobody says that nothing was. */
  lose(): void;
  hear(news: KeyNews): void;
}

interface Options {
  connection: NatsConnection;
  env: Environment;
  listener: KeyNewsListener;
  logger: Logger;
}

const readSequence = (ackSubject: string): number => {
  const tokens = ackSubject.split('.');
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.…, or with domain and account before the stream.
  return Number(tokens[tokens.length === 9 ? 6 : 8]);
};

/**
 * Reads the news of one environment's keys from now on, in order, with a heartbeat each 250 ms. Every delivery is numbered
 * by the server, and heartbeats tell the last number: a gap does not stay unseen. After a gap, or two seconds of silence,
 * it begins anew. Nothing is acknowledged, and nothing old is read.
 */
export class KeyNewsReader {
  private manager: JetStreamManager | undefined;
  private subscription: Subscription | undefined;
  private watch: NodeJS.Timeout | undefined;
  private beginning: Promise<void> | null = null;
  private lastSequence = 0;
  private heardAtMs = 0;
  private stopped = false;

  constructor(private readonly options: Options) {}

  /** Resolves once it reads, until the connection is closed; rejects when JetStream does not let it. */
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
    if (performance.now() - this.heardAtMs >= GIVEN_UP_AFTER_MS) this.beginAnew();
  }

  private beginAnew(): void {
    if (this.beginning || this.stopped) return;
    this.options.listener.lose();
    this.beginning = this.begin()
      .catch((error) =>
        this.options.logger.warn({ err: error, env: this.options.env }, 'news of keys are not read yet'),
      )
      .finally(() => (this.beginning = null));
  }

  private async begin(): Promise<void> {
    const { connection, listener } = this.options;
    this.subscription?.unsubscribe();
    this.lastSequence = 0;
    this.heardAtMs = performance.now();
    const inbox = createInbox();
    const subscription = connection.subscribe(inbox, { callback: (_, message) => this.take(message, subscription) });
    this.subscription = subscription;
    await this.addConsumer(inbox);
    this.heardAtMs = performance.now();
    listener.begin();
  }

  private async addConsumer(inbox: string): Promise<void> {
    const { connection, env } = this.options;
    this.manager ??= await jetstreamManager(connection);
    const { consumers, streams } = this.manager;
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
      if ((error as { code?: unknown }).code !== STREAM_MISSING) throw error;
      // A NATS server that lost its data: whoever misses the stream makes it.
      await streams.add(keyStreamConfig(env));
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
    this.heardAtMs = performance.now();
    if (!isHeartbeat) listener.hear(message.json<KeyNews>());
    listener.alive();
  }
}

import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { Subscription } from '@nats-io/transport-node';
import { type BusEvent, ENVIRONMENTS, type Environment, type EventType, type ServiceName } from '@swim/contracts';
import { AppError, eventsTotal, KeyedQueue, type Logger, TooEarly } from '@swim/platform';
import type { Streams } from './stream-keeper.js';
import { eventStream, MAX_UNACKED } from './streams.js';
import { Turn } from './turn.js';

// Progress of an event that is being handled is reported well before the acknowledgement wait ends.
const STILL_WORKING_MS = 2_000;
// A listener that takes longer counts as hung: its event is then redelivered to another replica.
const HUNG_AFTER_MS = 30_000;
const MAX_ATTEMPTS = 20;
// While no other event succeeds, a failing event gets this many times as many attempts: the cause may be elsewhere.
const PATIENCE_IN_OUTAGE = 10;
// A consumer without any message from the server for this long may be gone.
const PULL_MS = 5_000;
const HEARTBEAT_MS = 1_000;
const REOPEN_MS = 500;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 60_000;
const LOST = new Set([
  'heartbeats_missed',
  'no_responders',
  'consumer_not_found',
  'stream_not_found',
  'consumer_deleted',
]);
const OUTAGES = new Set<string>(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry']);

/** The delivery of an event to its listener. */
export interface Delivery {
  readonly attempt: number;
}

export type EventListener = (event: BusEvent, delivery: Delivery) => Promise<void>;

interface Options {
  service: ServiceName;
  jetStream: JetStreamClient;
  /** Creates the stream or the consumer when they are missing. */
  streams: Streams;
  logger: Logger;
  /** Failed attempts after which an event goes to the dead letters. */
  maxAttempts?: number | undefined;
}

/**
 * Consumes events by one durable consumer per environment. The listener of a type gets each object's events one after the
 * other; the listener of all types gets them as they arrive, and orders them itself. An event is acknowledged after its
 * listener resolves, and redelivered when it rejects or the process dies.
 */
export class EventConsumer {
  private readonly listeners = new Map<string, EventListener>();
  private readonly queue = new KeyedQueue();
  private readonly turn = new Turn();
  private readonly open = new Map<Environment, ConsumerMessages>();
  /** Environments whose consumers were active recently. */
  private readonly consuming = new Set<Environment>();
  private environments: readonly Environment[] = [];
  private readonly inFlight = new Map<Promise<void>, { message: JsMsg; takenAtMs: number }>();
  private reporter: NodeJS.Timeout | undefined;
  private stopping = false;
  private lastHandledMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: Options) {}

  /** `type` is an event type or `*`. */
  listen(type: EventType | '*', listener: EventListener): void {
    this.listeners.set(type === '*' ? '*' : type.type, listener);
  }

  /** Resolves when the first attempt to consume each environment has ended; failed ones are retried. */
  async start(types: (EventType | '*')[]): Promise<void> {
    if (types.length === 0) return;
    this.environments = ENVIRONMENTS;
    await Promise.all(ENVIRONMENTS.map((env) => new Promise<void>((tried) => void this.keepConsuming(env, tried))));
    this.reporter = setInterval(() => this.reportWorking(), STILL_WORKING_MS).unref();
  }

  /** Throws while events of an environment are not consumed. */
  checkConsumers(): void {
    const deaf = this.environments.filter((env) => !this.consuming.has(env));
    if (deaf.length > 0) throw new Error(`Events are not consumed: ${deaf.join(', ')}`);
  }

  /** Stops fetching events and waits for those in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.open.values()].map(drain));
    await Promise.allSettled(this.inFlight.keys());
    this.turn.end();
    clearInterval(this.reporter);
  }

  // After a loss of its data the server has no consumer: it is created anew, and starts with the new stream.
  private async keepConsuming(env: Environment, tried: () => void): Promise<void> {
    const { logger, streams } = this.options;
    while (!this.stopping) {
      try {
        const messages = await this.consume(env);
        tried();
        await this.pump(messages);
      } catch (error) {
        logger.warn({ err: error, env }, 'events are not consumed');
      }
      this.consuming.delete(env);
      this.open.delete(env);
      if (this.stopping) break;
      await streams.ensure().catch((error) => logger.warn({ err: error, env }, 'streams not made yet'));
      tried();
      await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
    }
    tried();
  }

  private async consume(env: Environment): Promise<ConsumerMessages> {
    const { service, jetStream } = this.options;
    const consumer = await jetStream.consumers.get(eventStream(env), service);
    const messages = await consumer.consume({
      max_messages: MAX_UNACKED,
      expires: PULL_MS,
      idle_heartbeat: HEARTBEAT_MS,
      abort_on_missing_resource: true,
    });
    this.open.set(env, messages);
    this.consuming.add(env);
    void this.watch(env, messages);
    return messages;
  }

  private async watch(env: Environment, messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) {
      if (this.open.get(env) !== messages) return;
      if (type === 'heartbeat') this.consuming.add(env);
      else if (LOST.has(type)) this.consuming.delete(env);
    }
  }

  private async pump(messages: ConsumerMessages): Promise<void> {
    for await (const message of messages) {
      const work: Promise<void> = this.take(message).finally(() => this.inFlight.delete(work));
      this.inFlight.set(work, { message, takenAtMs: performance.now() });
    }
  }

  private reportWorking(): void {
    for (const { message, takenAtMs } of this.inFlight.values()) {
      if (performance.now() - takenAtMs < HUNG_AFTER_MS) message.working();
    }
  }

  private async take(message: JsMsg): Promise<void> {
    try {
      const event = message.json<BusEvent>();
      await this.handOver(event, { attempt: message.info.deliveryCount });
      eventsTotal.inc({ outcome: 'consumed' });
      this.lastHandledMs = performance.now();
      this.turn.atEnd(() => this.acknowledge(message));
    } catch (error) {
      await this.putOff(message, error).catch((failure) => {
        // Not acknowledged, so it is redelivered after the acknowledgement wait.
        this.options.logger.error({ err: failure, subject: message.subject }, 'event not put off');
      });
    }
  }

  // Without an acknowledgement, as on a closed connection, the event is redelivered.
  private acknowledge(message: JsMsg): void {
    try {
      message.ack();
    } catch (error) {
      this.options.logger.warn({ err: error, subject: message.subject }, 'event not acknowledged');
    }
  }

  private async handOver(event: BusEvent, delivery: Delivery): Promise<void> {
    const listener = this.listeners.get(event.type);
    if (listener) await this.queue.run(event.objectId, () => listener(event, delivery));
    else await this.listeners.get('*')?.(event, delivery);
  }

  private async putOff(message: JsMsg, error: unknown): Promise<void> {
    const attempt = message.info.deliveryCount;
    if (error instanceof TooEarly) return message.nak(Math.min(FIRST_DELAY_MS * attempt, 2_000));
    const { logger, service, jetStream } = this.options;
    logger.error({ err: error, subject: message.subject, attempt }, 'event not handled');
    if (!this.isHopeless(attempt, error)) return message.nak(Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS));
    const { stream, streamSequence } = message.info;
    await jetStream.publish(`dead.${service}.${message.subject}`, message.data, {
      msgID: `${service}|${stream}|${streamSequence}`,
    });
    eventsTotal.inc({ outcome: 'dead' });
    logger.fatal({ subject: message.subject, attempt }, 'event moved to the dead letters');
    message.term();
  }

  /**
   * Whether the event itself is the cause: it keeps failing while others succeed. In an outage all fail, and the whole stream
   * would be dead-lettered.
   */
  private isHopeless(attempt: number, error: unknown): boolean {
    const maxAttempts = this.options.maxAttempts ?? MAX_ATTEMPTS;
    if (attempt >= maxAttempts * PATIENCE_IN_OUTAGE) return true;
    const isOutage = error instanceof AppError && OUTAGES.has(error.reason);
    return attempt >= maxAttempts && !isOutage && performance.now() - this.lastHandledMs < MAX_DELAY_MS;
  }
}

// close() drops messages that the server has sent and this process has not read yet, which would be redelivered only after the
// acknowledgement wait. Draining the subscription beneath reads them first; the client's type does not declare it.
async function drain(messages: ConsumerMessages): Promise<void> {
  const { sub } = messages as unknown as { sub?: Subscription };
  if (sub && !sub.isClosed()) await sub.drain();
  await messages.close();
}

import {
  AckPolicy,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { Subscription } from '@nats-io/transport-node';
import { type BusEvent, ENVIRONMENTS, type Environment, type EventType, type ServiceName } from '@swim/contracts';
import { AppError, eventsTotal, type Logger } from '@swim/platform';
import { KeyedQueue } from './keyed-queue.js';
import { eventStream } from './streams.js';

// What a dead process held comes again after this; what a living one works on is reported as such before.
const ACK_WAIT_NS = 5_000_000_000;
const STILL_WORKING_MS = 2_000;
// A listener that takes longer counts as hung: its event then goes to another replica.
const HUNG_AFTER_MS = 30_000;
const MAX_UNACKED = 256;
const GIVE_UP_AFTER = 20;
// An event that fails while nothing else gets through is tried this many times as often: then the fault may be elsewhere.
const PATIENCE_IN_OUTAGE = 10;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 60_000;
const OUTAGES = new Set<string>(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry']);

/** Thrown by a listener that needs an earlier event of the same object first; tried again soon, never given up for it. */
export class TooEarly extends Error {}

/** How an event reached its listener. */
export interface Delivery {
  readonly attempt: number;
}

export type EventListener = (event: BusEvent, delivery: Delivery) => Promise<void>;

interface Options {
  service: ServiceName;
  jetStream: JetStreamClient;
  manager: JetStreamManager;
  logger: Logger;
  /** Failed attempts after which an event goes to the dead letters. */
  giveUpAfter?: number | undefined;
}

/**
 * Hears events by one durable consumer for each environment. A listener is called in the order of each object's events;
 * the event is acknowledged after it resolves, and comes again when it rejects or the process dies.
 */
export class EventConsumer {
  private readonly listeners = new Map<string, EventListener>();
  private readonly queue = new KeyedQueue();
  private readonly streams: ConsumerMessages[] = [];
  private readonly inFlight = new Map<Promise<void>, { message: JsMsg; takenAtMs: number }>();
  private reporter: NodeJS.Timeout | undefined;
  private stopping = false;
  private lastHandledMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: Options) {}

  /** `type` is an event type or `*`. */
  listen(type: EventType | '*', listener: EventListener): void {
    this.listeners.set(type === '*' ? '*' : type.type, listener);
  }

  async start(types: (EventType | '*')[]): Promise<void> {
    if (types.length === 0) return;
    for (const env of ENVIRONMENTS) await this.consume(env, types);
    this.reporter = setInterval(() => this.reportWorking(), STILL_WORKING_MS).unref();
  }

  /** Stops taking events and waits for those under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.streams.map(drain));
    await Promise.allSettled(this.inFlight.keys());
    clearInterval(this.reporter);
  }

  private async consume(env: Environment, types: (EventType | '*')[]): Promise<void> {
    const { service, manager, jetStream } = this.options;
    const subjects = types.map((type) =>
      type === '*' ? `event.${env}.>` : `event.${env}.${type.service}.${type.type}.*`,
    );
    const config = {
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_NS,
      max_ack_pending: MAX_UNACKED,
      filter_subjects: subjects,
    };
    const known = await manager.consumers.info(eventStream(env), service).catch(() => null);
    if (known) await manager.consumers.update(eventStream(env), service, config);
    else await manager.consumers.add(eventStream(env), { durable_name: service, ...config });
    const consumer = await jetStream.consumers.get(eventStream(env), service);
    const messages = await consumer.consume({ max_messages: MAX_UNACKED });
    this.streams.push(messages);
    void this.pump(messages);
  }

  private async pump(messages: ConsumerMessages): Promise<void> {
    for await (const message of messages) {
      const work: Promise<void> = this.take(message).finally(() => this.inFlight.delete(work));
      this.inFlight.set(work, { message, takenAtMs: performance.now() });
    }
    // Rejects unhandled, which ends the process: one that lived on would be deaf.
    if (!this.stopping) throw new Error('The stream of events ended.');
  }

  private reportWorking(): void {
    for (const { message, takenAtMs } of this.inFlight.values()) {
      if (performance.now() - takenAtMs < HUNG_AFTER_MS) message.working();
    }
  }

  private async take(message: JsMsg): Promise<void> {
    try {
      const event = message.json<BusEvent>();
      const listener = this.listeners.get(event.type) ?? this.listeners.get('*');
      await this.queue.run(event.objectId, async () => listener?.(event, { attempt: message.info.deliveryCount }));
      eventsTotal.inc({ outcome: 'consumed' });
      this.lastHandledMs = performance.now();
      message.ack();
    } catch (error) {
      await this.putOff(message, error).catch((failure) => {
        // Not acknowledged, so it comes again by itself after the acknowledgement wait.
        this.options.logger.error({ err: failure, subject: message.subject }, 'event not put off');
      });
    }
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
    logger.fatal({ subject: message.subject, attempt }, 'event given up and kept among the dead letters');
    message.term();
  }

  /**
   * Whether the fault is the event's own: it keeps failing while others get through. In an outage all fail, and giving up
   * would move the whole stream among the dead letters.
   */
  private isHopeless(attempt: number, error: unknown): boolean {
    const giveUpAfter = this.options.giveUpAfter ?? GIVE_UP_AFTER;
    if (attempt >= giveUpAfter * PATIENCE_IN_OUTAGE) return true;
    const isOutage = error instanceof AppError && OUTAGES.has(error.reason);
    return attempt >= giveUpAfter && !isOutage && performance.now() - this.lastHandledMs < MAX_DELAY_MS;
  }
}

// close() drops what the server has sent and this process not yet read, which would then come again only after the
// acknowledgement wait. Draining the subscription beneath reads it first; the client's own type does not show it.
async function drain(messages: ConsumerMessages): Promise<void> {
  const { sub } = messages as unknown as { sub?: Subscription };
  if (sub && !sub.isClosed()) await sub.drain();
  await messages.close();
}

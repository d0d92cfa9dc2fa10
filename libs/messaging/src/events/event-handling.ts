import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { type BusEvent, ENVIRONMENTS, type EventType, type ServiceName } from '@swim/contracts';
import { AppError, eventsTotal, KeyedQueue, type Logger, Recent, TooEarly } from '@swim/platform';
import { Turn } from '../connection/turn.js';
import { eventsIn } from '../streams/event-messages.js';
import { eventStream, MAX_UNACKED } from '../streams/streams.js';
import { EventSlots } from './event-slots.js';

const MAX_ATTEMPTS = 20;
// While no other event succeeds, a failing event gets this many times as many attempts: the cause may be elsewhere, such as a dependency
// whose failures are not among the reasons below.
const PATIENCE_IN_OUTAGE = 10;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 60_000;
const MAX_EARLY_DELAY_MS = 2_000;
// Reasons that pass by themselves.
const OUTAGES = new Set<string>(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry', 'change_in_progress']);
const REMEMBERED_LETTERS = 1_000;
const REMEMBERED_EVENTS = 4_000;
const TOKENS = /^[\w-]+(\.[\w-]+)*$/;

/** The delivery of an event to its listener. */
export interface Delivery {
  readonly attempt: number;
}

export type EventListener = (event: BusEvent, delivery: Delivery) => Promise<void>;

/** What handling events needs. */
export interface HandlingOptions {
  service: ServiceName;
  jetStream: JetStreamClient;
  logger: Logger;
  /** Failed attempts after which an event goes to the dead letters. */
  maxAttempts?: number | undefined;
}

/** A dead letter: an event as if it had been published alone. */
interface Letter {
  readonly subject: string;
  readonly data: Uint8Array | string;
}

/** An event of a message, or why the message cannot be read. */
interface Part {
  readonly event: BusEvent | Error;
  /** Id of the event; without one, its position in the stream. */
  readonly id: string;
  /** Whether its message has others. */
  readonly isShared: boolean;
  readonly letter: () => Letter;
}

interface Failed {
  readonly part: Part;
  readonly error: unknown;
}

/** The deliveries in which this process has failed to handle an event, other than by an outage. */
interface Failures {
  readonly count: number;
  /** The latest one. */
  readonly delivery: number;
}

/**
 * Hands the events of messages to their listeners, and settles each message: it is acknowledged once all of its events are
 * handled or among the dead letters, and is delivered again, as a whole, while one of them has to be tried again. This process then
 * leaves out those that it has handled.
 */
export class EventHandling {
  private readonly listeners = new Map<string, EventListener>();
  private readonly queue = new KeyedQueue();
  private readonly turn = new Turn();
  /** By stream: one environment must not hold up the other. */
  private readonly slots = new Map(ENVIRONMENTS.map((env) => [eventStream(env), new EventSlots(MAX_UNACKED)]));
  /** Ids of dead letters. */
  private readonly reported = new Recent<true>(REMEMBERED_LETTERS);
  /** Ids of events that are done, whose messages have others. */
  private readonly done = new Recent<true>(REMEMBERED_EVENTS);
  /** By the id of an event. */
  private readonly failures = new Recent<Failures>(REMEMBERED_EVENTS);
  private lastHandledMs = Number.NEGATIVE_INFINITY;
  private lastEndedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: HandlingOptions) {}

  /** When the latest attempt to handle an event ended, by `performance.now()`. */
  get endedAtMs(): number {
    return this.lastEndedMs;
  }

  /** `type` is an event type or `*`. */
  listen(type: EventType | '*', listener: EventListener): void {
    this.listeners.set(type === '*' ? '*' : type.type, listener);
  }

  /**
   * Handles a message. Without an acknowledgement, as on a closed connection, it is delivered again.
   * @param begin - called when its events are handed to their listeners, after it has waited for its turn.
   */
  async take(message: JsMsg, begin: () => void): Promise<void> {
    try {
      await this.handle(message, begin);
    } catch (failure) {
      this.options.logger.error({ err: failure, subject: message.subject }, 'event not put off');
    }
  }

  /** Leaves messages that wait for their turn, and those that come, to other replicas. */
  close(): void {
    for (const slots of this.slots.values()) slots.close();
  }

  /** Sends the acknowledgements that wait for the end of the turn. */
  end(): void {
    this.turn.end();
  }

  private async handle(message: JsMsg, begin: () => void): Promise<void> {
    const slots = this.slots.get(message.info.stream)!;
    let dead = 0;
    for (let left = partsOf(message); ; ) {
      if (!(await slots.take(left.length))) return message.nak();
      begin();
      const failed = await this.handleAll(left, message, slots);
      const hopeless = failed.filter((each) => this.isHopeless(message.info.deliveryCount, each));
      for (const { part } of hopeless) await this.moveToDeadLetters(part, message);
      dead += hopeless.length;
      const others = failed.filter((each) => !hopeless.includes(each));
      if (others.length === 0) return this.settle(message, dead);
      if (hopeless.length === 0) return putOff(message, others);
      // Tried once more without the dead ones, for which they may have waited.
      left = others.map(({ part }) => part);
    }
  }

  /** Hands over these events in order, without waiting for each other; returns those that failed. */
  private async handleAll(parts: readonly Part[], message: JsMsg, slots: EventSlots): Promise<Failed[]> {
    const attempt = message.info.deliveryCount;
    const outcomes = await Promise.allSettled(parts.map((part) => slots.run(() => this.attempt(part, { attempt }))));
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ part: parts[index]!, error: outcome.reason as unknown }] : [],
    );
    for (const { part, error } of failed) {
      if (error instanceof TooEarly) continue;
      const { subject } = part.letter();
      this.options.logger.error({ err: error, subject, attempt }, 'event not handled');
    }
    return failed;
  }

  private async attempt(part: Part, delivery: Delivery): Promise<void> {
    try {
      if (this.done.get(part.id)) return;
      await this.handOver(part.event, delivery);
      eventsTotal.inc({ outcome: 'consumed' });
      this.lastHandledMs = performance.now();
      if (part.isShared) this.done.set(part.id, true);
    } finally {
      this.lastEndedMs = performance.now();
    }
  }

  private async handOver(event: BusEvent | Error, delivery: Delivery): Promise<void> {
    if (event instanceof Error) throw event;
    const listener = this.listeners.get(event.type);
    if (listener) await this.queue.run(event.objectId, () => listener(event, delivery));
    else await this.listeners.get('*')?.(event, delivery);
  }

  private settle(message: JsMsg, dead: number): void {
    if (dead > 0) message.term();
    else this.turn.atEnd(() => this.acknowledge(message));
  }

  private acknowledge(message: JsMsg): void {
    try {
      message.ack();
    } catch (error) {
      this.options.logger.warn({ err: error, subject: message.subject }, 'event not acknowledged');
    }
  }

  private async moveToDeadLetters({ id, isShared, letter }: Part, message: JsMsg): Promise<void> {
    const { service, jetStream, logger } = this.options;
    const { subject, data } = letter();
    const { duplicate } = await jetStream.publish(`dead.${service}.${subject}`, data, { msgID: `${service}|${id}` });
    if (isShared) this.done.set(id, true);
    // Another delivery of the event. Unless this process has reported the letter, the one that stored it may have ended before it did.
    if (duplicate && this.reported.get(id)) return;
    this.reported.set(id, true);
    eventsTotal.inc({ outcome: 'dead' });
    logger.fatal({ subject, attempt: message.info.deliveryCount }, 'event moved to the dead letters');
  }

  /**
   * Whether the event itself is the cause: it keeps failing while others succeed. In an outage all fail, and the whole stream
   * would be dead-lettered: what passes by itself never counts, however long it lasts.
   */
  private isHopeless(delivery: number, { part, error }: Failed): boolean {
    if (error instanceof TooEarly || (error instanceof AppError && OUTAGES.has(error.reason))) return false;
    const failures = this.countFailures(part.id, delivery);
    const maxAttempts = this.options.maxAttempts ?? MAX_ATTEMPTS;
    if (failures >= maxAttempts * PATIENCE_IN_OUTAGE) return true;
    return failures >= maxAttempts && performance.now() - this.lastHandledMs < MAX_DELAY_MS;
  }

  // Deliveries may also be due to other events of the message, to an outage, or to what the event has waited for.
  private countFailures(id: string, delivery: number): number {
    const known = this.failures.get(id) ?? { count: 0, delivery: 0 };
    if (known.delivery === delivery) return known.count;
    const count = known.count + 1;
    this.failures.set(id, { count, delivery });
    return count;
  }
}

function putOff(message: JsMsg, failed: readonly Failed[]): void {
  const attempt = message.info.deliveryCount;
  const isEarly = failed.every(({ error }) => error instanceof TooEarly);
  message.nak(
    isEarly
      ? Math.min(FIRST_DELAY_MS * attempt, MAX_EARLY_DELAY_MS)
      : Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS),
  );
}

function partsOf(message: JsMsg): Part[] {
  const { subject, data, info } = message;
  const place = `${info.stream}|${info.streamSequence}`;
  const whole = () => ({ subject, data });
  try {
    const events = eventsIn(message.json());
    const isShared = events.length > 1;
    const letterOf = (event: BusEvent) => () => ({ subject: subjectIn(message, event), data: JSON.stringify(event) });
    return events.map((event, index) => ({
      event,
      id: event?.id ?? `${place}|${index}`,
      isShared,
      letter: isShared ? letterOf(event) : whole,
    }));
  } catch (error) {
    return [{ event: error as Error, id: place, isShared: false, letter: whole }];
  }
}

/** The subject under which an event of a group would have been published alone; that of the group if the event has none. */
function subjectIn({ subject }: JsMsg, event: BusEvent | null): string {
  const own = `${event?.type}.${event?.objectId}`;
  if (!event?.type || !event.objectId || !TOKENS.test(own)) return subject;
  return [...subject.split('.').slice(0, 3), own].join('.');
}

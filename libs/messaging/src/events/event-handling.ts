import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { type BusEvent, ENVIRONMENTS, type EventType, type ServiceName } from '@swim/contracts';
import { AppError, eventsTotal, KeyedQueue, type Logger, Recent, TooEarly } from '@swim/platform';
import { Turn } from '../connection/turn.js';
import { eventsIn } from '../streams/event-messages.js';
import { eventStream, MAX_UNACKED } from '../streams/streams.js';
import { EventSlots } from './event-slots.js';

const MAX_ATTEMPTS = 20;
// While no other event succeeds, a failing event gets this many times as many attempts, because the cause may be a
// dependency whose failures are not among OUTAGES.
const PATIENCE_IN_OUTAGE = 10;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 60_000;
const MAX_EARLY_DELAY_MS = 2_000;
// These errors pass by themselves.
const OUTAGES = new Set<string>(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry', 'change_in_progress']);
const REMEMBERED_LETTERS = 1_000;
const REMEMBERED_EVENTS = 4_000;
const TOKENS = /^[\w-]+(\.[\w-]+)*$/;

export interface Delivery {
  readonly attempt: number;
}

export type EventListener = (event: BusEvent, delivery: Delivery) => Promise<void>;

export interface HandlingOptions {
  service: ServiceName;
  jetStream: JetStreamClient;
  logger: Logger;
  /** An event becomes a dead letter after this many failed attempts. */
  maxAttempts?: number | undefined;
}

/** A dead letter has the subject and body that the event would have if it had been published alone. */
interface DeadLetter {
  readonly subject: string;
  readonly data: Uint8Array | string;
}

/** One event of a message, or the reason why the message cannot be read. */
interface Part {
  readonly event: BusEvent | Error;
  /** The id of the event, or its position in the stream when it has no id. */
  readonly id: string;
  /** Whether the message contains other events too. */
  readonly isShared: boolean;
  readonly letter: () => DeadLetter;
}

interface Failed {
  readonly part: Part;
  readonly error: unknown;
}

/** Counts the deliveries in which this process has failed to handle an event, without failures caused by an outage. */
interface Failures {
  readonly count: number;
  /** The number of the latest counted delivery. */
  readonly delivery: number;
}

/**
 * Hands the events of messages to their listeners. A message is acknowledged when each of its events is handled or
 * stored as a dead letter; until then it is nak'ed and redelivered as a whole, and this process skips the events that
 * it has handled.
 */
export class EventHandling {
  private readonly listeners = new Map<string, EventListener>();
  private readonly queue = new KeyedQueue();
  private readonly turn = new Turn();
  /** Each environment has its own slots, so that one cannot delay the other. */
  private readonly slots = new Map(ENVIRONMENTS.map((env) => [eventStream(env), new EventSlots(MAX_UNACKED)]));
  /** Ids of the dead letters that this process has logged. */
  private readonly reported = new Recent<true>(REMEMBERED_LETTERS);
  /** Ids of handled events whose messages contain other events. */
  private readonly done = new Recent<true>(REMEMBERED_EVENTS);
  /** Failures by the id of the event. */
  private readonly failures = new Recent<Failures>(REMEMBERED_EVENTS);
  /** How often this process has put off a message whose handling failed, by its place in the stream. */
  private readonly timesPutOff = new Recent<number>(REMEMBERED_EVENTS);
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

  /** Rejects waiting and new messages, so that other replicas receive them. */
  close(): void {
    for (const slots of this.slots.values()) slots.close();
  }

  /** Sends the acknowledgements that are deferred to the end of the event-loop turn. */
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
      if (hopeless.length === 0) return this.putOff(message, others);
      // The remaining events are tried once more, because they may have waited for those that are now dead letters.
      left = others.map(({ part }) => part);
    }
  }

  /** Starts the listeners in the order of the events without waiting between them; returns the events that failed. */
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
    if (listener) return this.queue.run(event.objectId, () => listener(event, delivery));
    const ofAll = this.listeners.get('*');
    // Replicas of another version have a listener, as during an update: the event is left to them.
    if (!ofAll) throw new NoListener(`No listener of ${event.type}.`);
    await ofAll(event, delivery);
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
    // Another delivery has stored this dead letter. It is logged unless this process has done so: the process that
    // stored it may have crashed before.
    if (duplicate && this.reported.get(id)) return;
    this.reported.set(id, true);
    eventsTotal.inc({ outcome: 'dead' });
    logger.fatal({ subject, attempt: message.info.deliveryCount }, 'event moved to the dead letters');
  }

  /**
   * Returns whether the event itself is the cause, which means that it keeps failing while others succeed. In an outage
   * all events fail, and the whole stream would become dead letters; therefore errors that pass by themselves never
   * count.
   */
  private isHopeless(delivery: number, { part, error }: Failed): boolean {
    if (error instanceof TooEarly || (error instanceof AppError && OUTAGES.has(error.reason))) return false;
    const failures = this.countFailures(part.id, delivery);
    const maxAttempts = this.options.maxAttempts ?? MAX_ATTEMPTS;
    // No outage is the cause, and events that are put off keep others from being delivered.
    if (error instanceof NoListener) return failures >= maxAttempts;
    if (failures >= maxAttempts * PATIENCE_IN_OUTAGE) return true;
    return failures >= maxAttempts && performance.now() - this.lastHandledMs < MAX_DELAY_MS;
  }

  /** The longer a message fails, the later it is delivered again: deliveries that were too early do not count. */
  private putOff(message: JsMsg, failed: readonly Failed[]): void {
    const isEarly = failed.every(({ error }) => error instanceof TooEarly);
    const place = placeOf(message);
    const times = (this.timesPutOff.get(place) ?? 0) + (isEarly ? 0 : 1);
    if (!isEarly) this.timesPutOff.set(place, times);
    message.nak(
      isEarly
        ? Math.min(FIRST_DELAY_MS * message.info.deliveryCount, MAX_EARLY_DELAY_MS)
        : Math.min(FIRST_DELAY_MS * 2 ** times, MAX_DELAY_MS),
    );
  }

  // The delivery count of JetStream is no measure: it includes deliveries caused by other events of the message, and by
  // outages.
  private countFailures(id: string, delivery: number): number {
    const known = this.failures.get(id) ?? { count: 0, delivery: 0 };
    if (known.delivery === delivery) return known.count;
    const count = known.count + 1;
    this.failures.set(id, { count, delivery });
    return count;
  }
}

class NoListener extends Error {}

const placeOf = ({ info }: JsMsg): string => `${info.stream}|${info.streamSequence}`;

function partsOf(message: JsMsg): Part[] {
  const { subject, data } = message;
  const place = placeOf(message);
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

/**
 * Returns the subject that an event of a group would have if it were published alone; that of the message if it has no
 * event.
 */
function subjectIn({ subject }: JsMsg, event: BusEvent | null): string {
  const own = `${event?.type}.${event?.objectId}`;
  if (!event?.type || !event.objectId || !TOKENS.test(own)) return subject;
  return [...subject.split('.').slice(0, 3), own].join('.');
}

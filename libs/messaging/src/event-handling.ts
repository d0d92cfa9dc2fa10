import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { BusEvent, EventType, ServiceName } from '@swim/contracts';
import { AppError, eventsTotal, KeyedQueue, type Logger, Recent, TooEarly } from '@swim/platform';
import { eventsIn } from './event-messages.js';
import { Turn } from './turn.js';

const MAX_ATTEMPTS = 20;
// While no other event succeeds, a failing event gets this many times as many attempts: the cause may be elsewhere.
const PATIENCE_IN_OUTAGE = 10;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 60_000;
const MAX_EARLY_DELAY_MS = 2_000;
// Reasons that pass by themselves.
const OUTAGES = new Set<string>(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry', 'change_in_progress']);
const REMEMBERED_LETTERS = 1_000;
const REMEMBERED_EVENTS = 10_000;
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
  readonly id: string;
}

/** An event of a message, or why the message cannot be read. */
interface Part {
  readonly event: BusEvent | Error;
  readonly letter: () => Letter;
}

interface Failed {
  readonly part: Part;
  readonly error: unknown;
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
  /** Ids of dead letters. */
  private readonly reported = new Recent<true>(REMEMBERED_LETTERS);
  /** Ids of handled events whose messages are delivered again. */
  private readonly handled = new Recent<true>(REMEMBERED_EVENTS);
  private lastHandledMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: HandlingOptions) {}

  /** `type` is an event type or `*`. */
  listen(type: EventType | '*', listener: EventListener): void {
    this.listeners.set(type === '*' ? '*' : type.type, listener);
  }

  /** Handles a message. Without an acknowledgement, as on a closed connection, it is delivered again. */
  async take(message: JsMsg): Promise<void> {
    try {
      await this.handle(message);
    } catch (failure) {
      this.options.logger.error({ err: failure, subject: message.subject }, 'event not put off');
    }
  }

  /** Sends the acknowledgements that wait for the end of the turn. */
  end(): void {
    this.turn.end();
  }

  private async handle(message: JsMsg): Promise<void> {
    const parts = partsOf(message).filter((part) => !this.isHandled(part));
    const dead = new Set<Part>();
    for (let left = parts; ; ) {
      const failed = await this.handleAll(left, message);
      const hopeless = failed.filter(({ error }) => this.isHopeless(message.info.deliveryCount, error));
      for (const { part } of hopeless) await this.moveToDeadLetters(part, message);
      for (const { part } of hopeless) dead.add(part);
      left = failed.map(({ part }) => part).filter((part) => !dead.has(part));
      const handled = parts.filter((part) => !dead.has(part) && !left.includes(part));
      if (left.length === 0) return this.settle(message, handled.length, dead.size);
      if (hopeless.length === 0) return this.putOff(message, handled, failed);
      // Tried once more without the dead ones, for which they may have waited: the next delivery brings all again.
    }
  }

  /** Hands over these events in order, without waiting for each other; returns those that failed. */
  private async handleAll(parts: readonly Part[], message: JsMsg): Promise<Failed[]> {
    const attempt = message.info.deliveryCount;
    const outcomes = await Promise.allSettled(parts.map(({ event }) => this.handOver(event, { attempt })));
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ part: parts[index]!, error: outcome.reason as unknown }] : [],
    );
    for (const { error } of failed) {
      if (error instanceof TooEarly) continue;
      this.options.logger.error({ err: error, subject: message.subject, attempt }, 'event not handled');
    }
    return failed;
  }

  private async handOver(event: BusEvent | Error, delivery: Delivery): Promise<void> {
    if (event instanceof Error) throw event;
    const listener = this.listeners.get(event.type);
    if (listener) await this.queue.run(event.objectId, () => listener(event, delivery));
    else await this.listeners.get('*')?.(event, delivery);
  }

  private isHandled(part: Part): boolean {
    const id = idOf(part);
    return id !== undefined && this.handled.get(id) === true;
  }

  private settle(message: JsMsg, handled: number, dead: number): void {
    this.count(handled);
    if (dead > 0) message.term();
    else this.turn.atEnd(() => this.acknowledge(message));
  }

  private putOff(message: JsMsg, handled: readonly Part[], failed: readonly Failed[]): void {
    this.count(handled.length);
    for (const id of handled.map(idOf)) if (id !== undefined) this.handled.set(id, true);
    message.nak(delayMsOf(message.info.deliveryCount, failed));
  }

  private count(handled: number): void {
    if (handled === 0) return;
    eventsTotal.inc({ outcome: 'consumed' }, handled);
    this.lastHandledMs = performance.now();
  }

  private acknowledge(message: JsMsg): void {
    try {
      message.ack();
    } catch (error) {
      this.options.logger.warn({ err: error, subject: message.subject }, 'event not acknowledged');
    }
  }

  private async moveToDeadLetters({ letter }: Part, message: JsMsg): Promise<void> {
    const { service, jetStream, logger } = this.options;
    const { subject, data, id } = letter();
    const { duplicate } = await jetStream.publish(`dead.${service}.${subject}`, data, { msgID: `${service}|${id}` });
    // Another delivery of its message, which other events of the message keep from ending. Unless this process has reported the
    // letter, the one that stored it may have ended before it did.
    if (duplicate && this.reported.get(id)) return;
    this.reported.set(id, true);
    eventsTotal.inc({ outcome: 'dead' });
    logger.fatal({ subject, attempt: message.info.deliveryCount }, 'event moved to the dead letters');
  }

  /**
   * Whether the event itself is the cause: it keeps failing while others succeed. In an outage all fail, and the whole stream
   * would be dead-lettered.
   */
  private isHopeless(attempt: number, error: unknown): boolean {
    if (error instanceof TooEarly) return false;
    const maxAttempts = this.options.maxAttempts ?? MAX_ATTEMPTS;
    if (attempt >= maxAttempts * PATIENCE_IN_OUTAGE) return true;
    const isOutage = error instanceof AppError && OUTAGES.has(error.reason);
    return attempt >= maxAttempts && !isOutage && performance.now() - this.lastHandledMs < MAX_DELAY_MS;
  }
}

/** The id of an event; undefined of what is none. */
const idOf = ({ event }: Part): string | undefined => (event instanceof Error ? undefined : event?.id);

/** How long a message waits before it is delivered again. */
function delayMsOf(attempt: number, failed: readonly Failed[]): number {
  const isEarly = failed.every(({ error }) => error instanceof TooEarly);
  return isEarly
    ? Math.min(FIRST_DELAY_MS * attempt, MAX_EARLY_DELAY_MS)
    : Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
}

function partsOf(message: JsMsg): Part[] {
  const { subject, data, info } = message;
  const id = `${info.stream}|${info.streamSequence}`;
  const whole = () => ({ subject, data, id });
  try {
    const events = eventsIn(message.json());
    if (events.length === 1) return [{ event: events[0]!, letter: whole }];
    const letterOf = (event: BusEvent, index: number) => () => ({
      subject: subjectIn(message, event),
      data: JSON.stringify(event),
      id: `${id}|${index}`,
    });
    return events.map((event, index) => ({ event, letter: letterOf(event, index) }));
  } catch (error) {
    return [{ event: error as Error, letter: whole }];
  }
}

/** The subject under which an event of a group would have been published alone; that of the group if the event has none. */
function subjectIn({ subject }: JsMsg, event: BusEvent | null): string {
  const own = `${event?.type}.${event?.objectId}`;
  if (!event?.type || !event.objectId || !TOKENS.test(own)) return subject;
  return [...subject.split('.').slice(0, 3), own].join('.');
}

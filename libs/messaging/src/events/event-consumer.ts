import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Subscription } from '@nats-io/transport-node';
import { ENVIRONMENTS, type Environment, type EventType } from '@swim/contracts';
import { eventStream, MAX_UNACKED } from '../streams/streams.js';
import { EventHandling, type EventListener, type HandlingOptions } from './event-handling.js';
import { HUNG_AFTER_MS } from './event-slots.js';

// An event in progress is reported to the server well before its acknowledgement wait ends.
const STILL_WORKING_MS = 2_000;
// When the server sends nothing for this long, the consumer may be gone.
const PULL_MS = 5_000;
const HEARTBEAT_MS = 1_000;
const REOPEN_MS = 500;
const LOST = new Set([
  'heartbeats_missed',
  'no_responders',
  'consumer_not_found',
  'stream_not_found',
  'consumer_deleted',
]);

/**
 * A fetched message; the times are by `performance.now()`. `begunAtMs` is when its events were handed to their
 * listeners.
 */
interface Taken {
  readonly message: JsMsg;
  readonly takenAtMs: number;
  begunAtMs: number | undefined;
}

/**
 * Consumes events by one durable consumer per environment. The listener of a type gets each object's events one after the
 * other; the listener of all types gets them as they arrive, and orders them itself. A message is acknowledged after the
 * listeners of its events resolve, and redelivered when one rejects or the process dies.
 */
export class EventConsumer {
  private readonly handling: EventHandling;
  private readonly open = new Map<Environment, ConsumerMessages>();
  /** The environments whose consumers were active recently. */
  private readonly consuming = new Set<Environment>();
  private environments: readonly Environment[] = [];
  private readonly inFlight = new Map<Promise<void>, Taken>();
  private reporter: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(private readonly options: HandlingOptions) {
    this.handling = new EventHandling(options);
  }

  /** `type` is an event type or `*`. */
  listen(type: EventType | '*', listener: EventListener): void {
    this.handling.listen(type, listener);
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
    this.handling.close();
    await Promise.all([...this.open.values()].map(drain));
    await Promise.allSettled(this.inFlight.keys());
    this.handling.end();
    clearInterval(this.reporter);
  }

  // When the server has lost its data, no consumer exists until `bus-setup` has made the stream and the consumer anew.
  private async keepConsuming(env: Environment, tried: () => void): Promise<void> {
    const { logger } = this.options;
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
      const taken: Taken = { message, takenAtMs: performance.now(), begunAtMs: undefined };
      const begin = () => (taken.begunAtMs = performance.now());
      const work: Promise<void> = this.handling.take(message, begin).finally(() => this.inFlight.delete(work));
      this.inFlight.set(work, taken);
    }
  }

  private reportWorking(): void {
    for (const { message, takenAtMs, begunAtMs } of this.inFlight.values()) {
      // A message that waits for a slot is redelivered when no event has ended for as long.
      const sinceMs = begunAtMs ?? Math.max(takenAtMs, this.handling.endedAtMs);
      if (performance.now() - sinceMs < HUNG_AFTER_MS) message.working();
    }
  }
}

// close() drops messages that the server has sent and this process has not read yet, which would be redelivered only after the
// acknowledgement wait. Draining the subscription beneath reads them first; the client's type does not declare it.
async function drain(messages: ConsumerMessages): Promise<void> {
  const { sub } = messages as unknown as { sub?: Subscription };
  if (sub && !sub.isClosed()) await sub.drain();
  await messages.close();
}

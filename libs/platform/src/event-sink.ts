import type { BusEvent, Environment } from '@swim/contracts';

/** The destination of an outbox's events: a stream that stores them and may be lost. */
export abstract class EventSink {
  /** Resolves when the event is on disk. Publishing the same event again has no effect. */
  abstract publish(event: BusEvent): Promise<void>;

  /** The identity of an environment's stream: another one after it was lost and created again. */
  abstract identifyStream(env: Environment): Promise<string>;
}

/** Thrown by a listener that needs an earlier event of the same object first; redelivered soon, never dead-lettered for it. */
export class TooEarly extends Error {}

import type { BusEvent, Environment } from '@swim/contracts';
import type { Outcome } from './batches.js';

/** The destination of an outbox's events: a stream that stores them and may be lost. */
export abstract class EventSink {
  /**
   * Publishes events in this order; those of one write may share a message. Resolves with the outcome of each: none once it is on
   * disk. Publishing the same events again has no effect.
   */
  abstract publishAll(events: readonly BusEvent[]): Promise<Outcome[]>;

  /** The identity of an environment's stream: another one after it was lost and created again. */
  abstract identifyStream(env: Environment): Promise<string>;
}

/** Thrown by a listener that needs an earlier event of the same object first; redelivered soon, never dead-lettered for it. */
export class TooEarly extends Error {}

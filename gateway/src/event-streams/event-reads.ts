import { type OutputOf, type Principal, readEvents } from '@swim/contracts';
import type { SignalWatch } from '@swim/messaging/client';
import { BUDGET_MS, Bulkhead, Deadline, makeRequestContext, resultOf } from '@swim/platform';
import type { ServiceCalls } from '../calls/service-calls.js';

/** The most reads of all streams at a time: others wait their turn, so that streams take little from requests. */
const LIMITS = { maxInFlight: 32, maxQueued: 100_000, maxWaitMs: 10_000 };

type Events = OutputOf<typeof readEvents>;

interface Reading {
  readonly signals: number;
  readonly events: Promise<Events>;
}

/** The reader of a stream, for the context of its requests. */
export interface StreamReader {
  readonly principal: Principal;
  readonly requestId: string;
}

/** Reads the events that streams send. Streams of an account at one position share a read. */
export class EventReads {
  private readonly turns = new Bulkhead(LIMITS);
  private readonly pending = new Map<string, Reading>();

  constructor(private readonly calls: ServiceCalls) {}

  /** The account's first events after a sequence. Throws the AppError of the service, or `overloaded`. */
  after(sequence: number, reader: StreamReader, { count }: Pick<SignalWatch, 'count'>): Promise<Events> {
    const key = `${reader.principal.env}|${reader.principal.accountId}|${sequence}`;
    const known = this.pending.get(key);
    // A read that began before a signal may lack the event that it signals.
    if (known?.signals === count) return known.events;
    const events = this.read(sequence, reader).finally(() => {
      if (this.pending.get(key)?.events === events) this.pending.delete(key);
    });
    this.pending.set(key, { signals: count, events });
    return events;
  }

  private async read(afterSequence: number, { principal, requestId }: StreamReader): Promise<Events> {
    const leave = await this.turns.enter();
    try {
      const context = makeRequestContext({ requestId, principal, deadline: new Deadline(BUDGET_MS.read) });
      const { answer } = await this.calls.request(readEvents, JSON.stringify({ afterSequence }), context);
      return resultOf(readEvents, answer);
    } finally {
      leave();
    }
  }
}

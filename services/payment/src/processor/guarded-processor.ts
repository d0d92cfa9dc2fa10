import { Bulkhead, type Logger, ServiceBreaker, within } from '@swim/platform';
import type { Processor } from './processor.js';

/** Calls of one processor at a time in this process; more are rejected after a short wait. */
const LIMITS = { maxInFlight: 32, maxQueued: 32, maxWaitMs: 100 };
/** A call without an end leaves its place after this. */
const MOST_MS = 60_000;

type Call = (...input: unknown[]) => Promise<unknown>;

/**
 * A processor behind a bulkhead, a time limit and a circuit breaker, so that a slow one takes a bounded share of this process.
 * A call that timed out keeps its place until it has ended: as many as the bulkhead admits can be under way. Time-outs and
 * errors open the breaker; then calls are rejected at once, which leaves their outcome unknown like a time-out.
 */
export function guardedProcessor(name: string, processor: Processor, timeoutMs: number, logger: Logger): Processor {
  const bulkhead = new Bulkhead(LIMITS);
  const breaker = new ServiceBreaker(name, logger, { maxInFlight: Number.POSITIVE_INFINITY });
  const run = async (call: () => Promise<unknown>): Promise<unknown> => {
    const leave = await bulkhead.enter();
    let begun: Promise<unknown> | undefined;
    try {
      return await breaker.run(() => {
        begun = call();
        return within(begun, timeoutMs);
      });
    } finally {
      if (begun === undefined) leave();
      else within(begun, MOST_MS).then(leave, leave);
    }
  };
  return new Proxy(processor, {
    get: (target, method: keyof Processor) => {
      const call = target[method] as Call | undefined;
      // `await` looks for `then`.
      if (typeof call !== 'function') return call;
      return (...input: unknown[]) => run(() => call.apply(target, input));
    },
  });
}

import { Bulkhead, type Logger, ServiceBreaker, within } from '@swim/platform';
import type { Card, Charge, ChargeOutcome, Processor, RefundOutcome, RefundRequest } from './processor.js';

/** Calls of one processor at a time in this process; more are rejected after a short wait. */
const LIMITS = { maxInFlight: 32, maxQueued: 32, maxWaitMs: 100 };
/** A call without an end leaves its place after this. */
const MOST_MS = 60_000;

/**
 * A processor behind a bulkhead, a time limit and a circuit breaker, so that a slow one takes a bounded share of this process.
 * A call that timed out keeps its place until it has ended: as many as the bulkhead admits can be under way. Time-outs and
 * errors open the breaker; then calls are rejected at once, which leaves their outcome unknown like a time-out.
 */
export class GuardedProcessor implements Processor {
  private readonly bulkhead = new Bulkhead(LIMITS);
  private readonly breaker: ServiceBreaker;

  constructor(
    name: string,
    private readonly processor: Processor,
    private readonly timeoutMs: number,
    logger: Logger,
  ) {
    this.breaker = new ServiceBreaker(name, logger, { maxInFlight: Number.POSITIVE_INFINITY });
  }

  describeMethod(token: string): Promise<Card | null> {
    return this.run(() => this.processor.describeMethod(token));
  }

  removeMethod(token: string): Promise<void> {
    return this.run(() => this.processor.removeMethod(token));
  }

  charge(charge: Charge): Promise<ChargeOutcome> {
    return this.run(() => this.processor.charge(charge));
  }

  find(charge: Charge): Promise<ChargeOutcome | null> {
    return this.run(() => this.processor.find(charge));
  }

  capture(charge: Charge): Promise<ChargeOutcome> {
    return this.run(() => this.processor.capture(charge));
  }

  cancel(charge: Charge): Promise<ChargeOutcome> {
    return this.run(() => this.processor.cancel(charge));
  }

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.run(() => this.processor.refund(request));
  }

  private async run<T>(call: () => Promise<T>): Promise<T> {
    const leave = await this.bulkhead.enter();
    let begun: Promise<T> | undefined;
    try {
      return await this.breaker.run(() => {
        begun = call();
        return within(begun, this.timeoutMs);
      });
    } finally {
      if (begun === undefined) leave();
      else within(begun, MOST_MS).then(leave, leave);
    }
  }
}

import CircuitBreaker from 'opossum';
import { AppError, isServerFault } from './app-error.js';
import { Bulkhead, type BulkheadLimits } from './bulkhead.js';

/** How a breaker behaves; durations in milliseconds. */
export interface BreakerOptions extends Partial<BulkheadLimits> {
  /** Share of failures within the window that opens the circuit. */
  errorThresholdPercentage?: number;
  /** Calls within the window below which it never opens. */
  volumeThreshold?: number;
  resetTimeoutMs?: number;
}

type Work = () => Promise<unknown>;

/**
 * Guards calls to one service. The bulkhead stands before opossum, whose own `capacity` would count its rejections as
 * failures; refusals that are the caller's fault are filtered out; time limits are the deadline's business.
 */
export class ServiceBreaker {
  private readonly bulkhead: Bulkhead;
  private readonly breaker: CircuitBreaker<[Work], unknown>;

  constructor(
    readonly name: string,
    options: BreakerOptions = {},
  ) {
    this.bulkhead = new Bulkhead(options);
    this.breaker = new CircuitBreaker((work: Work) => work(), {
      name,
      timeout: false,
      errorThresholdPercentage: options.errorThresholdPercentage ?? 50,
      volumeThreshold: options.volumeThreshold ?? 20,
      resetTimeout: options.resetTimeoutMs ?? 2_000,
      rollingCountTimeout: 10_000,
      errorFilter: (error: unknown) => !isServerFault(error),
    });
  }

  /** Runs `work`, or refuses at once with `unavailable` (circuit open) or `overloaded` (bulkhead full). */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.bulkhead.enter();
    try {
      return (await this.breaker.fire(work)) as T;
    } catch (error) {
      if (CircuitBreaker.isOurError(error as Error))
        throw new AppError('unavailable', { retryAfterSeconds: 2, cause: error });
      throw error;
    } finally {
      leave();
    }
  }

  get state(): 'open' | 'half-open' | 'closed' {
    if (this.breaker.opened) return 'open';
    return this.breaker.halfOpen ? 'half-open' : 'closed';
  }

  close(): void {
    this.breaker.shutdown();
  }
}

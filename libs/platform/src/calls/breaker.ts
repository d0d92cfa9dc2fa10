import CircuitBreaker from 'opossum';
import { AppError, isServerFault } from '../errors/app-error.js';
import type { Logger } from '../observability/logger.js';
import { breakerState } from '../observability/metrics.js';
import { Bulkhead, type BulkheadLimits } from './bulkhead.js';

/** Options of a breaker; durations in milliseconds. */
export interface BreakerOptions extends Partial<BulkheadLimits> {
  /** The circuit opens at this percentage of failures within the window. */
  errorThresholdPercentage?: number;
  /** The circuit stays closed below this number of calls within the window. */
  volumeThreshold?: number;
  resetTimeoutMs?: number;
}

type Work = () => Promise<unknown>;
type State = 'open' | 'half-open' | 'closed';

const GAUGE: Record<State, number> = { closed: 0, 'half-open': 1, open: 2 };

/**
 * Guards requests to one service. The bulkhead precedes opossum, whose own `capacity` would count its rejections as failures;
 * client errors are filtered out; deadlines limit the time.
 */
export class ServiceBreaker {
  private readonly bulkhead: Bulkhead;
  private readonly breaker: CircuitBreaker<[Work], unknown>;

  constructor(
    readonly name: string,
    private readonly logger: Logger,
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
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      // `internal` is the answer of a running service that failed on one request.
      errorFilter: (error: unknown) =>
        !isServerFault(error) || (error instanceof AppError && error.reason === 'internal'),
    });
    breakerState.set({ breaker: name }, GAUGE.closed);
    this.breaker.on('open', () => this.report('open'));
    this.breaker.on('halfOpen', () => this.report('half-open'));
    this.breaker.on('close', () => this.report('closed'));
  }

  /** Runs `work`, or rejects at once with `unavailable` (circuit open) or `overloaded` (bulkhead full). */
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

  /** Whether one more request would be rejected as `overloaded` at once. */
  get isFull(): boolean {
    return this.bulkhead.isFull;
  }

  get state(): State {
    if (this.breaker.opened) return 'open';
    return this.breaker.halfOpen ? 'half-open' : 'closed';
  }

  close(): void {
    this.breaker.shutdown();
  }

  private report(state: State): void {
    breakerState.set({ breaker: this.name }, GAUGE[state]);
    this.logger.warn({ component: this.name, state }, 'circuit breaker changed');
  }
}

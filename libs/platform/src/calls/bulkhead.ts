import { AppError } from '../errors/app-error.js';

/** Limits of running and waiting work; a place in the queue lasts at most `maxWaitMs`. */
export interface BulkheadLimits {
  maxInFlight: number;
  maxQueued: number;
  maxWaitMs: number;
}

const DEFAULTS: BulkheadLimits = { maxInFlight: 128, maxQueued: 64, maxWaitMs: 100 };

interface Waiting {
  admit: () => void;
  timer: NodeJS.Timeout;
}

/** All rejections share one error, because a stack trace costs as much as the rest of a rejection. */
export const OVERLOADED = new AppError('overloaded', { retryAfterSeconds: 1 });

/** Limits the concurrent work for one dependency. */
export class Bulkhead {
  private readonly limits: BulkheadLimits;
  private readonly queue = new Set<Waiting>();
  private running = 0;

  constructor(limits: Partial<BulkheadLimits> = {}) {
    this.limits = { ...DEFAULTS, ...limits };
  }

  get inFlight(): number {
    return this.running;
  }

  /** Whether neither a slot nor a place in the queue is free: one more request would be rejected at once. */
  get isFull(): boolean {
    return this.running >= this.limits.maxInFlight && this.queue.size >= this.limits.maxQueued;
  }

  /** Waits for a slot and returns the function that releases it; `overloaded` when none is free in time. */
  async enter(): Promise<() => void> {
    if (this.running >= this.limits.maxInFlight) await this.wait();
    else this.running++;
    let left = false;
    return () => {
      if (!left) this.leave();
      left = true;
    };
  }

  private wait(): Promise<void> {
    if (this.isFull) throw OVERLOADED;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.queue.delete(waiting);
        reject(OVERLOADED);
      }, this.limits.maxWaitMs);
      const waiting: Waiting = { admit: resolve, timer };
      this.queue.add(waiting);
    });
  }

  private leave(): void {
    const [next] = this.queue;
    if (!next) {
      this.running--;
      return;
    }
    this.queue.delete(next);
    clearTimeout(next.timer);
    next.admit();
  }
}

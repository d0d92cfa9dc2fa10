import { AppError } from '../errors/app-error.js';
import { sharedClock } from './clock.js';

/** The instant of the shared clock until which a client waits. */
export class Deadline {
  /** The database can fence commits with this instant, because it is the source of the shared clock. */
  readonly at: Date;

  /** Ends `budgetMs` from now. */
  constructor(budgetMs: number) {
    this.at = sharedClock.inMs(budgetMs);
  }

  /** Ends at this instant (Unix milliseconds), as set by a client. */
  static at(instantMs: number): Deadline {
    return new Deadline(instantMs - sharedClock.nowMs());
  }

  /** Milliseconds left; negative when the client has stopped waiting. */
  remainingMs(): number {
    return this.at.getTime() - sharedClock.nowMs();
  }

  get expired(): boolean {
    return this.remainingMs() <= 0;
  }

  /** Throws `deadline_exceeded` when the client has stopped waiting: no further step begins. */
  check(): void {
    if (this.expired) throw new AppError('deadline_exceeded');
  }
}

/** The default time for an operation, in milliseconds. */
export const BUDGET_MS = { read: 3_000, list: 3_000, write: 10_000 } as const;

/** Each hop reserves this much of the budget, so that the outer client gets a response. */
export const HOP_MARGIN_MS = 50;

/** Rejects with `unavailable` when the work takes longer than `limitMs`; the work itself continues. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable', { retryAfterSeconds: 5 })), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

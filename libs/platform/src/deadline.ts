import { AppError } from './app-error.js';
import { sharedClock } from './clock.js';

/** The instant of the one clock until which a caller waits. All processes count down to the same instant. */
export class Deadline {
  /** That instant; commits can be fenced with it in the database, whose clock it is of. */
  readonly at: Date;

  /** Ends `budgetMs` from now. */
  constructor(budgetMs: number) {
    this.at = sharedClock.inMs(budgetMs);
  }

  /** Ends at this instant (Unix milliseconds), as a caller has set it. */
  static at(instantMs: number): Deadline {
    return new Deadline(instantMs - sharedClock.nowMs());
  }

  /** Milliseconds left; negative when the caller has stopped waiting. */
  remainingMs(): number {
    return this.at.getTime() - sharedClock.nowMs();
  }

  get expired(): boolean {
    return this.remainingMs() <= 0;
  }

  /** Throws `deadline_exceeded` when the caller has stopped waiting: nothing more is begun for him. */
  check(): void {
    if (this.expired) throw new AppError('deadline_exceeded');
  }
}

/** What an operation may take when nobody says otherwise (reliability: reads 3 s, writes 10 s). */
export const BUDGET_MS = { read: 3_000, list: 3_000, write: 10_000 } as const;

/** Each hop keeps this much of the budget for itself, so that the outer caller gets an answer. */
export const HOP_MARGIN_MS = 50;

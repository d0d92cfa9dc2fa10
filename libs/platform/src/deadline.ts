/** Time a caller still waits, counted by this process's monotonic clock from the moment the request was read. */
export class Deadline {
  private readonly endsAtMs: number;

  constructor(budgetMs: number) {
    this.endsAtMs = performance.now() + budgetMs;
  }

  /** Milliseconds left; negative when the caller has stopped waiting. */
  remainingMs(): number {
    return this.endsAtMs - performance.now();
  }

  get expired(): boolean {
    return this.remainingMs() <= 0;
  }
}

/** What an operation may take when nobody says otherwise (reliability: reads 3 s, writes 10 s). */
export const BUDGET_MS = { read: 3_000, list: 3_000, write: 10_000 } as const;

/** Each hop keeps this much of the budget for itself, so that the outer caller hears an answer. */
export const HOP_MARGIN_MS = 50;

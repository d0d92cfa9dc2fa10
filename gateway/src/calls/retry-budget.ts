const SHARE = 0.1;
const MOST_SAVED = 10;

/** Allows retries for at most a tenth of all requests, so that they cannot make an outage worse. */
export class RetryBudget {
  private tokens = MOST_SAVED;

  /** Counts a request that is not a retry. */
  earn(): void {
    this.tokens = Math.min(MOST_SAVED, this.tokens + SHARE);
  }

  /** Whether one more retry is within the budget; takes it when it is. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}

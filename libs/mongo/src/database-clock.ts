const REFRESH_MS = 10_000;
const MAX_LOOK_MS = 1_000;

/**
 * The database's clock, read from here: its time at the last look plus what this process's monotonic clock has counted
 * since. A replica whose own clock is wrong thus sets the same leases as any other. Whether a lease has lapsed is asked
 * of the database itself (`$$NOW`), never of this.
 */
export class DatabaseClock {
  private anchorMs = 0;
  private monotonicMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly look: () => Promise<Date>) {}

  async start(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Now, by the database. */
  now(): Date {
    return new Date(this.anchorMs + performance.now() - this.monotonicMs);
  }

  /** `ms` from now, by the database. */
  inMs(ms: number): Date {
    return new Date(this.now().getTime() + ms);
  }

  private async refresh(): Promise<void> {
    const before = performance.now();
    const then = await this.look();
    const after = performance.now();
    // When in that time the answer was true nobody knows; what the last look said has drifted less.
    if (this.timer && after - before > MAX_LOOK_MS) return;
    this.monotonicMs = (before + after) / 2;
    this.anchorMs = then.getTime();
  }
}

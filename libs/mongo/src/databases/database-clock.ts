import { type SharedClock, sharedClock } from '@swim/platform';
import type { mongo } from 'mongoose';

const REFRESH_MS = 10_000;
const LOOKS = 3;

/** Reads the database's own time, which is also `$$NOW` in updates. */
export async function readDatabaseTime(database: mongo.Db): Promise<Date> {
  const [row] = await database.aggregate([{ $documents: [{}] }, { $project: { now: '$$NOW' } }]).toArray();
  return (row as { now: Date }).now;
}

/**
 * Synchronises this process with the database's clock: reads it three times every 10 s and uses the fastest reading. The
 * expiry of leases is decided by the database itself (`$$NOW`), never by this.
 */
export class DatabaseClock {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly look: () => Promise<Date>,
    private readonly clock: SharedClock = sharedClock,
  ) {}

  async start(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.clock.now();
  }

  /** `ms` from now, by the database's clock. */
  inMs(ms: number): Date {
    return this.clock.inMs(ms);
  }

  private async refresh(): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      const requestedAtMs = performance.now();
      const shown = await this.look();
      this.clock.take({ shownMs: shown.getTime(), requestedAtMs, answeredAtMs: performance.now() });
    }
  }
}

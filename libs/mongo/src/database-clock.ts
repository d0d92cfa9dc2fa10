import { type SharedClock, sharedClock } from '@swim/platform';
import type { mongo } from 'mongoose';

const REFRESH_MS = 10_000;
const LOOKS = 3;

/** Asks the database for its own time, which is also what `$$NOW` says in updates. */
export async function readDatabaseTime(database: mongo.Db): Promise<Date> {
  const [row] = await database.aggregate([{ $documents: [{}] }, { $project: { now: '$$NOW' } }]).toArray();
  return (row as { now: Date }).now;
}

/**
 * Keeps this process's knowledge of the one clock: asks the database three times every 10 s, of which the soonest answer
 * counts. Whether a lease has lapsed is asked of the database itself (`$$NOW`), never of this.
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

  /** Now, by the database. */
  now(): Date {
    return this.clock.now();
  }

  /** `ms` from now, by the database. */
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

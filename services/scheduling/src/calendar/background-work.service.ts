import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Bulkhead, LOGGER, type Logger } from '@swim/platform';

const LIMITS = { maxInFlight: 8, maxQueued: 64, maxWaitMs: 1_000 };

/** Work that a request causes and does not wait for. The process ends only after it. */
@Injectable()
export class BackgroundWorkService implements BeforeApplicationShutdown {
  private readonly bulkhead = new Bulkhead(LIMITS);
  private readonly running = new Set<Promise<void>>();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Starts `work`, which a sweep must repeat when it fails here, or when too much runs already. */
  start(work: () => Promise<void>): void {
    const run: Promise<void> = this.bulkhead
      .enter()
      .then((leave) => work().finally(leave))
      .catch((error) => this.logger.warn({ err: error }, 'released time not passed on yet'))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }
}

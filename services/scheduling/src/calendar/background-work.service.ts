import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Bulkhead, LOGGER, type Logger } from '@swim/platform';

const LIMITS = { maxInFlight: 8, maxQueued: 64, maxWaitMs: 1_000 };

/** Work that a request starts without waiting for it. The process waits for it before it ends. */
@Injectable()
export class BackgroundWorkService implements BeforeApplicationShutdown {
  private readonly bulkhead = new Bulkhead(LIMITS);
  private readonly running = new Set<Promise<void>>();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Starts `work`. When it fails, or is not started because too much runs already, a sweep must repeat it. */
  start(work: () => Promise<void>): void {
    const run: Promise<void> = this.bulkhead
      .enter()
      .then((leave) => work().finally(leave))
      .catch((error) => this.logger.warn({ err: error }, 'released time not offered yet'))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }
}

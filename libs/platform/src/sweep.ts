import type { Logger } from './logger.js';

/** Does something again and again, never twice at once: what recovery and retries hang on. */
export class Sweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** Runs the work `intervalMs` from now, and then `intervalMs` after each end of it. A failure is logged and the next run comes. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = Promise.resolve()
        .then(this.work)
        .catch((error) => this.logger.warn({ err: error, name: this.name }, 'sweep failed'))
        .finally(() => this.start());
    }, this.intervalMs).unref();
  }

  /** No further run; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}

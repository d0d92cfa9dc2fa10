import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work some time after it is requested; requests until it begins share the run. Runs follow each other, never side by
 * side. The work handles its own failures. It belongs to none of the requests for it: it has neither their environment nor their
 * log context.
 */
export class DelayedRun {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly work: () => Promise<void>;

  constructor(
    private readonly delayMs: number,
    work: () => Promise<void>,
  ) {
    this.work = AsyncLocalStorage.bind(work);
  }

  /** Begins a run `delayMs` from now, unless one is about to begin. */
  request(): void {
    this.timer ??= setTimeout(() => void this.run(), this.delayMs);
  }

  /** Begins a run at once if one was requested; resolves when all runs have ended. */
  async flush(): Promise<void> {
    if (this.timer) void this.run();
    await this.running;
  }

  /** Drops a requested run; resolves when all runs have ended. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private run(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.running.then(this.work);
    return this.running;
  }
}

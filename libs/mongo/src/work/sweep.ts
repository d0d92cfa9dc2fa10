import { type Logger, sweepFailuresTotal } from '@swim/platform';

const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 30_000;
const FAILING_KEPT = 10_000;

/** The delays of items that fail, by their ids; a restart resets them. */
export class ItemDelays {
  private readonly failures = new Map<string, number>();

  /** The delay in ms after one more consecutive failure. */
  next(id: string): number {
    const count = (this.failures.get(id) ?? 0) + 1;
    this.failures.delete(id);
    this.failures.set(id, count);
    if (this.failures.size > FAILING_KEPT) this.failures.delete(this.failures.keys().next().value!);
    return Math.min(FIRST_DELAY_MS * 2 ** (count - 1), MOST_DELAY_MS);
  }

  forget(id: string): void {
    this.failures.delete(id);
  }
}

/** Moves the due time of an item. A sweep reads due items in the order of these times. */
export type Postpone<T> = (item: T, delayMs: number) => Promise<unknown>;

/** Runs work periodically, never concurrently: the base of recovery and retries. */
export class Sweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private readonly delays = new ItemDelays();

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** Whether no further run begins; a long run ends early then. */
  get hasStopped(): boolean {
    return this.stopped;
  }

  /** Runs the work `intervalMs` after the start, and after the end of each run. A failure is logged and the next run follows. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => this.run(), this.intervalMs).unref();
  }

  /** Begins the next run now, unless one is in progress or the sweep has stopped. */
  runEarly(): void {
    if (this.timer && !this.stopped) this.run();
  }

  /** Handles items one by one: a failing one does not block the others. */
  async each<T extends { _id: string }>(
    items: readonly T[],
    handle: (item: T) => Promise<unknown>,
    postpone?: Postpone<T>,
  ): Promise<void> {
    for (const item of items) await this.attempt(item, handle, postpone);
  }

  /**
   * Handles one item. A failure is logged, counted and not thrown; the item is postponed, longer with each consecutive
   * failure. Without `postpone`, handling must move the due time before it can fail.
   */
  async attempt<T extends { _id: string }>(
    item: T,
    handle: (item: T) => Promise<unknown>,
    postpone?: Postpone<T>,
  ): Promise<void> {
    try {
      await handle(item);
      this.delays.forget(item._id);
    } catch (error) {
      sweepFailuresTotal.inc({ sweep: this.name });
      this.logger.error({ err: error, component: this.name, objectId: item._id }, 'due item not handled yet');
      await this.postpone(item, postpone);
    }
  }

  /** Prevents further runs; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private run(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = Promise.resolve()
      .then(this.work)
      .catch((error) => this.logger.warn({ err: error, component: this.name }, 'sweep failed'))
      .finally(() => this.start());
  }

  private async postpone<T extends { _id: string }>(item: T, postpone: Postpone<T> | undefined): Promise<void> {
    await postpone?.(item, this.delays.next(item._id)).catch((error) =>
      this.logger.error({ err: error, component: this.name, objectId: item._id }, 'failing item not postponed'),
    );
  }
}

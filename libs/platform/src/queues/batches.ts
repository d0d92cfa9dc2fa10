/** An item has succeeded when its outcome is undefined. */
export type Outcome = Error | undefined;

interface Gathered<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Collects items and handles them in batches: those added within a short wait after the first, or while the previous batch is
 * being handled. One batch is handled at a time.
 */
export class Batches<T> {
  private gathered: Gathered<T>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;

  /** `handle` returns an outcome for each item in order; when it throws, all items have failed. */
  constructor(
    private readonly handle: (items: T[]) => Promise<Outcome[]>,
    private readonly limits: { mostItems: number; waitMs: number },
  ) {}

  /** Resolves once the item is handled. */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.gathered.push({ item, resolve, reject });
      if (this.isBusy) return;
      if (this.gathered.length >= this.limits.mostItems) void this.flush();
      else this.timer ??= setTimeout(() => void this.flush(), this.limits.waitMs);
    });
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isBusy = true;
    while (this.gathered.length > 0) await this.handleAll(this.gathered.splice(0, this.limits.mostItems));
    this.isBusy = false;
  }

  private async handleAll(batch: Gathered<T>[]): Promise<void> {
    try {
      const outcomes = await this.handle(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) resolve();
        else reject(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

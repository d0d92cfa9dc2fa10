import { ENVIRONMENTS, type Environment } from '@swim/contracts';

/** The entries that wait to be stored. */
interface Source {
  readonly everyMs: number;
  hasWaiting(env: Environment): boolean;
  /** Stores the waiting entries; those that fail go on waiting. It must not reject. */
  store(env: Environment): Promise<void>;
}

/** Stores the waiting entries of both environments, after the answers: at intervals while there are some, one run at a time. */
export class BackgroundStore {
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | undefined;
  private isStopped = false;

  constructor(private readonly source: Source) {}

  /** Stores within an interval. */
  storeSoon(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => {
      this.storing = this.storeAll().finally(() => {
        this.timer = undefined;
        if (ENVIRONMENTS.some((env) => this.source.hasWaiting(env))) this.storeSoon();
      });
    }, this.source.everyMs).unref();
  }

  /** Stores the waiting entries once more, and stops. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.storing;
    await this.storeAll();
  }

  private async storeAll(): Promise<void> {
    await Promise.all(ENVIRONMENTS.map((env) => this.source.store(env)));
  }
}

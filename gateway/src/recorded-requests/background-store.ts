import { ENVIRONMENTS, type Environment } from '@swim/contracts';

/** What waits to be stored. */
interface Source {
  readonly everyMs: number;
  hasWaiting(env: Environment): boolean;
  /** Stores what waits; what fails goes on waiting. It must not reject. */
  store(env: Environment): Promise<void>;
}

/** Stores what waits of both environments, at intervals while anything does, after the answers and never beside itself. */
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

  /** Stores what waits, once more and for the last time. */
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

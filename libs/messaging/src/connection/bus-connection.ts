import type { NatsConnection } from '@nats-io/transport-node';
import { AppError } from '@swim/platform';

/** How long a request waits for a connection to NATS before it is sent. */
const PATIENCE_MS = 2_000;

/**
 * Tracks whether NATS is connected. While it is not, the client buffers messages, and drops or delivers them at the
 * reconnection, perhaps long after the sender's time-out: every publisher awaits `ready` first.
 */
export class BusConnection {
  private readonly waiting = new Set<() => void>();
  private readonly onLost: (() => void)[] = [];
  private connected = true;

  constructor(private readonly connection: NatsConnection) {
    void this.watch();
  }

  get isUp(): boolean {
    return this.connected;
  }

  /** Calls `listener` at each loss of the connection: replies to what was sent before no longer come. */
  whenLost(listener: () => void): void {
    this.onLost.push(listener);
  }

  /** Resolves when connected; rejects with `unavailable` when that takes too long, before anything was sent. */
  async ready(patienceMs = PATIENCE_MS): Promise<void> {
    if (this.connected) return;
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(admit);
        reject(new AppError('unavailable', { retryAfterSeconds: 1 }));
      }, patienceMs);
      this.waiting.add(admit);
    });
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.lose();
      if (type === 'reconnect') this.resume();
    }
  }

  private lose(): void {
    this.connected = false;
    for (const listener of this.onLost) listener();
  }

  private resume(): void {
    this.connected = true;
    for (const admit of this.waiting) admit();
    this.waiting.clear();
  }
}

/** Runs work of one key in order and of different keys side by side. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<void>>();

  get size(): number {
    return this.tails.size;
  }

  /** Runs `work` once all earlier work of this key has ended, whether it succeeded or failed. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const running = before.then(work);
    const tail = running.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await running;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}

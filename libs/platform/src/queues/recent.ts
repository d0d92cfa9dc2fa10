/** Caches the values of the most recent keys. Correctness must not depend on it. */
export class Recent<V> {
  private readonly entries = new Map<string, V>();

  constructor(private readonly size: number) {}

  get(key: string): V | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.size) this.entries.delete(this.entries.keys().next().value!);
  }

  /** The keys, the oldest entry first. */
  keys(): string[] {
    return [...this.entries.keys()];
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}

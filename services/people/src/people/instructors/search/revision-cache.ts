interface Known<T> {
  rev: number;
  value: T;
  weight: number;
}

/**
 * Caches parts of documents by id and revision: an entry is valid while the database returns the same revision. Evicts the
 * least recently used entries when the total weight exceeds the limit.
 */
export class RevisionCache<T> {
  private readonly known = new Map<string, Known<T>>();
  private weight = 0;

  /** `weightOf` and `mostWeight` use the same unit, for instance bytes. */
  constructor(
    private readonly mostWeight: number,
    private readonly weightOf: (value: T) => number,
  ) {}

  /** The value under exactly this revision. */
  find(id: string, rev: number): T | undefined {
    const known = this.known.get(id);
    if (known?.rev !== rev) return undefined;
    this.known.delete(id);
    this.known.set(id, known);
    return known.value;
  }

  keep(id: string, rev: number, value: T): void {
    this.forget(id);
    const weight = this.weightOf(value);
    this.known.set(id, { rev, value, weight });
    this.weight += weight;
    for (const [oldest] of this.known) {
      if (this.weight <= this.mostWeight) return;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    this.weight -= this.known.get(id)?.weight ?? 0;
    this.known.delete(id);
  }
}

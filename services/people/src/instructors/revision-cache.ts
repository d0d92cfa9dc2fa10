interface Known<T> {
  rev: number;
  value: T;
  weight: number;
}

/**
 * Remembers what was read of documents, each under its revision: what a document held at a revision it holds as long as
 * the database says that this is its revision. Forgets whoever was asked for least recently once all together weigh too much.
 */
export class RevisionCache<T> {
  private readonly known = new Map<string, Known<T>>();
  private weight = 0;

  /** `weightOf` and `mostWeight` count the same, for instance bytes. */
  constructor(
    private readonly mostWeight: number,
    private readonly weightOf: (value: T) => number,
  ) {}

  /** What was kept under just this revision. */
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

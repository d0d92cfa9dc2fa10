interface Waiting {
  readonly count: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

/**
 * Bounds how many events a process handles at once: JetStream bounds messages, and a message may have many events. Messages start in
 * the order in which they come.
 */
export class EventSlots {
  private taken = 0;
  private isClosed = false;
  private readonly waiting: Waiting[] = [];

  /** @param most - exceeded only by a message that has more events, while no other is handled. */
  constructor(private readonly most: number) {}

  /** Waits until so many more events may be handled; false when the slots are closed before. */
  take(count: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ count, resolve });
      this.admit();
    });
  }

  /** One event is handled. */
  release(): void {
    this.taken--;
    this.admit();
  }

  /** Admits nothing more. */
  close(): void {
    this.isClosed = true;
    this.admit();
  }

  private admit(): void {
    for (let [next] = this.waiting; next && (this.isClosed || this.fits(next)); [next] = this.waiting) {
      this.waiting.shift();
      if (!this.isClosed) this.taken += next.count;
      next.resolve(!this.isClosed);
    }
  }

  private fits({ count }: Waiting): boolean {
    return this.taken === 0 || this.taken + count <= this.most;
  }
}

interface Waiting {
  readonly count: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

/** An event that takes longer counts as hung: its message is then redelivered to another replica. */
export const HUNG_AFTER_MS = 30_000;

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

  /** Handles one of the events that were taken. It leaves its slot when it ends, or hangs: each redelivery would take another one. */
  async run(work: () => Promise<void>): Promise<void> {
    let isHeld = true;
    const release = () => {
      if (isHeld) this.taken--;
      isHeld = false;
      this.admit();
    };
    const patience = setTimeout(release, HUNG_AFTER_MS).unref();
    try {
      await work();
    } finally {
      clearTimeout(patience);
      release();
    }
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

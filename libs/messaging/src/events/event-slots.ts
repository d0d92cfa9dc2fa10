interface Waiting {
  readonly count: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

/** An event that takes longer counts as hung: its message is then redelivered to another replica. */
export const HUNG_AFTER_MS = 30_000;

/**
 * Limits how many events a process handles at once: JetStream limits messages, and a message may contain many events.
 * Messages start in the order in which they arrive.
 */
export class EventSlots {
  private taken = 0;
  private isClosed = false;
  private readonly waiting: Waiting[] = [];

  /** @param most - the limit, which only a message with more events may exceed, while no other is handled. */
  constructor(private readonly most: number) {}

  /** Waits until `count` more events may be handled; returns false when `close` is called first. */
  take(count: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ count, resolve });
      this.admit();
    });
  }

  /**
   * Handles one of the admitted events. The slot is released when the event ends or hangs: otherwise each redelivery of
   * a hung event would occupy another slot.
   */
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

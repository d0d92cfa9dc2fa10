/**
 * Lets whatever arrives within one turn of the event loop go on together. What they then publish leaves in one write to
 * NATS instead of one each, and a write costs more than all else that we do for a request.
 */
export class Turn {
  private ending: Promise<void> | null = null;

  /** Resolves at the end of this turn, for all who ask within it at once. */
  end(): Promise<void> {
    this.ending ??= new Promise((resolve) => {
      setImmediate(() => {
        this.ending = null;
        resolve();
      });
    });
    return this.ending;
  }
}

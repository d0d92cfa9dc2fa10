/**
 * Defers sends to the end of the event loop's turn, so that all of them leave with one write. A write is a system call that
 * wakes another process: under load it costs more than all other work for a message.
 */
export class Turn {
  private sends: (() => void)[] = [];

  /** Runs `send` at the end of this turn. It must not throw. */
  atEnd(send: () => void): void {
    if (this.sends.push(send) === 1) setImmediate(() => this.end());
  }

  /** Runs the deferred sends at once. */
  end(): void {
    const sends = this.sends;
    this.sends = [];
    for (const send of sends) send();
  }
}

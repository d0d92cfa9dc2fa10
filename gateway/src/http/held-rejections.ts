import type { ServerResponse } from 'node:http';

const PAUSE_MS = 250;
const MOST_HELD = 512;

/**
 * Holds rejections for overload back for PAUSE_MS. A client that ignores Retry-After sends its next request as soon as it has the
 * response: the pause limits it to four a second on each connection, so that rejecting takes little processor time from the
 * requests that are served. At most MOST_HELD responses are held back, which bounds their memory; further ones are sent at once.
 */
export class HeldRejections {
  private readonly held = new Set<() => void>();
  private isStopped = false;

  /**
   * Calls `answer` after the pause, or as soon as the connection of the response is closed, so that it is logged and counted; at
   * once when too many are held back.
   */
  hold(response: ServerResponse, answer: () => void): void {
    if (this.isStopped || this.held.size >= MOST_HELD || response.destroyed) {
      answer();
      return;
    }
    const release = (): void => {
      clearTimeout(timer);
      response.off('close', release);
      this.held.delete(release);
      answer();
    };
    const timer = setTimeout(release, PAUSE_MS);
    response.once('close', release);
    this.held.add(release);
  }

  /** Sends all that is held back, and holds nothing back from now on: the process is about to end. */
  stop(): void {
    this.isStopped = true;
    for (const release of [...this.held]) release();
  }
}

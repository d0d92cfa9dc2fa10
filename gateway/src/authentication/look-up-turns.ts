import { Bulkhead } from '@swim/platform';
import type { FailedAttempts } from './failed-attempts.js';

const IN_LINE = { maxInFlight: 1, maxQueued: 64, maxWaitMs: 5_000 };

interface Network {
  /** Look-ups in flight. */
  running: number;
  /** Look-ups in flight or waiting. */
  present: number;
  line: Bulkhead;
}

/**
 * Limits the concurrent look-ups of unknown keys for one network: as many at once as may still fail within this minute, and
 * beyond that one at a time. Guesses from the same network can delay a valid key, but not cause its rejection.
 */
export class LookUpTurns {
  private readonly networks = new Map<string, Network>();

  constructor(private readonly attempts: FailedAttempts) {}

  /** Runs a look-up in its turn; `isFailure` decides whether its outcome counts. Throws `overloaded` when too many wait. */
  async run<T>(network: string, lookUp: () => Promise<T>, isFailure: (outcome: T) => boolean): Promise<T> {
    const here = this.networks.get(network) ?? { running: 0, present: 0, line: new Bulkhead(IN_LINE) };
    this.networks.set(network, here);
    here.present++;
    try {
      const leave = this.attempts.mayFail(network, here.running) ? null : await here.line.enter();
      here.running++;
      try {
        const outcome = await lookUp();
        if (isFailure(outcome)) this.attempts.noteLookUp(network);
        return outcome;
      } finally {
        here.running--;
        leave?.();
      }
    } finally {
      if (--here.present === 0) this.networks.delete(network);
    }
  }
}

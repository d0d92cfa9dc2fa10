import {
  type AppliedClock,
  applyClockToBookings,
  applyClockToTimes,
  applyClockToWebhooks,
  type ParsedOf,
} from '@swim/contracts';
import type { TestHarness } from '@swim/testing';

type Applied = ParsedOf<typeof applyClockToTimes>;

/** Fakes of the services that apply clocks: they record the offsets, and have ends at which an advance stops. */
export class ClockParts {
  /** The applied parts by service, in order. */
  readonly applied: [service: string, clock: Applied][] = [];
  /** Offsets at which something ends in scheduling. */
  readonly ends: number[] = [];
  /** How often scheduling handles something before nothing is left, at each offset. */
  busy = 0;
  /** Called before each answer of scheduling to an account's advance. */
  beforeAnswer: (accountId: string) => Promise<void> | void = () => undefined;
  private readonly handledAt = new Map<string, number>();

  constructor(harness: TestHarness) {
    const idle = (service: string) => (clock: Applied) => {
      this.applied.push([service, clock]);
      return { handled: 0, nextOffsetMs: null };
    };
    harness.serve(applyClockToTimes, (clock) => this.applyToTimes(clock));
    harness.serve(applyClockToBookings, idle('booking'));
    harness.serve(applyClockToWebhooks, idle('notification'));
  }

  /** Returns the parts that were applied for an account. */
  of(accountId: string): [service: string, clock: Applied][] {
    return this.applied.filter(([, clock]) => clock.accountId === accountId);
  }

  /** The offsets that a service has applied for an account. */
  offsetsOf(service: string, accountId: string): number[] {
    return this.of(accountId)
      .filter(([name]) => name === service)
      .map(([, { offsetMs }]) => offsetMs);
  }

  private async applyToTimes(clock: Applied): Promise<AppliedClock> {
    this.applied.push(['scheduling', clock]);
    await this.beforeAnswer(clock.accountId);
    const at = `${clock.accountId} ${clock.offsetMs}`;
    const handled = Math.min(1, Math.max(0, this.busy - (this.handledAt.get(at) ?? 0)));
    this.handledAt.set(at, (this.handledAt.get(at) ?? 0) + handled);
    const next = this.ends.filter((end) => end > clock.offsetMs);
    return { handled, nextOffsetMs: next.length > 0 ? Math.min(...next) : null };
  }
}

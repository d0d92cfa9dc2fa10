import {
  addDemoBooking,
  addDemoMethod,
  addDemoPool,
  type ParsedOf,
  resetBookings,
  resetEvents,
  resetPayments,
  resetTimes,
} from '@swim/contracts';
import type { TestHarness } from '@swim/testing';

type Reset = ParsedOf<typeof resetTimes>;

/** Fakes of the services that take part in a reset. */
export class ResetParts {
  /** Each request of a reset: its account, and `<service> <phase>`. */
  readonly requested: { accountId: string; part: string; before: string }[] = [];
  /** Requested bookings of demo data by their ids. */
  readonly bookings = new Map<string, ParsedOf<typeof addDemoBooking>>();
  /** Ids of demo pools and methods, as requested. */
  readonly demo: string[] = [];
  /** How often a part of an account, `<account> <service> <phase>`, answers that there is more to do. */
  readonly unfinished = new Map<string, number>();
  /** Called before each answer to an account's reset. */
  beforeAnswer: (part: string, accountId: string) => Promise<void> | void = () => undefined;

  constructor(harness: TestHarness, pools: Set<string>) {
    harness.serve(resetEvents, (reset) => this.answer('notification', reset));
    harness.serve(resetTimes, (reset) => this.answer('scheduling', reset));
    harness.serve(resetBookings, (reset) => this.answer('booking', reset));
    harness.serve(resetPayments, (reset) => this.answer('payment', reset));
    harness.serve(addDemoPool, ({ id }) => {
      pools.add(id);
      this.demo.push(id);
      return {};
    });
    harness.serve(addDemoBooking, (made) => {
      this.bookings.set(made.id, made);
      return {};
    });
    harness.serve(addDemoMethod, ({ id }) => {
      this.demo.push(id);
      return {};
    });
  }

  /** The parts that an account's reset has requested, in order. */
  of(accountId: string): string[] {
    return this.requested.filter((each) => each.accountId === accountId).map(({ part }) => part);
  }

  /** The bookings of demo data that are requested for an account. */
  bookingsOf(accountId: string): ParsedOf<typeof addDemoBooking>['booking'][] {
    return [...this.bookings.values()].filter((each) => each.accountId === accountId).map(({ booking }) => booking);
  }

  private async answer(service: string, { accountId, phase, before }: Reset): Promise<{ done: boolean }> {
    const part = `${service} ${phase}`;
    this.requested.push({ accountId, part, before });
    await this.beforeAnswer(part, accountId);
    const key = `${accountId} ${part}`;
    const left = this.unfinished.get(key) ?? 0;
    this.unfinished.set(key, left - 1);
    return { done: left <= 0 };
  }
}

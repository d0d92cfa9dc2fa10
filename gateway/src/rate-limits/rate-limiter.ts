import type { Principal } from '@swim/contracts';
import { AppError, sharedClock } from '@swim/platform';
import { HOUR, type Increment, minuteWindow, SharedCounter, type Window } from './shared-counter.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Maximum age of the hour's total in a rejected request's headers. */
const MAX_TOTAL_AGE_MS = 1_000;
/** Share of the minute up to which both windows are counted in one increment, and that before the minute's first total. */
const AT_ONCE = 0.5;
const AT_ONCE_UNKNOWN = 0.1;
const TRIES = 2;

/** Requests that an account may make in one environment within a clock hour and a clock minute (UTC). */
export interface Limits {
  perHour: number;
  perMinute: number;
}

/** The X-RateLimit headers: they describe the hour. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Unix second at which the hour ends. */
  readonly resetAtSeconds: number;
}

/** The outcome of a request; `denied` is the error that ends it. */
export interface Admission {
  readonly quota: Quota;
  readonly denied: AppError | null;
}

/** Whose requests a counter counts. */
export type CountedAccount = Pick<Principal, 'env' | 'accountId'>;

/** The counter of an account in one hour. */
interface Counted {
  readonly hour: number;
  readonly counter: SharedCounter;
}

/** Counts the requests of each account and environment over all replicas, in two windows (contract, Limits). */
export class RateLimiter {
  private readonly accounts = new Map<string, Counted>();
  private prunedInHour = 0;

  constructor(
    readonly limits: Limits,
    private readonly increment: Increment,
    private readonly nowMs: () => number = () => sharedClock.nowMs(),
  ) {}

  /** Counts a request. A denied one does not count in the hour. Rejects with `unavailable` when NATS cannot count. */
  async admit({ env, accountId }: CountedAccount): Promise<Admission> {
    const now = this.nowMs();
    const counted = this.countedOf(`${env}.${accountId}`, now);
    const { counter } = counted;
    const minute = minuteWindow(Math.floor((now % HOUR_MS) / MINUTE_MS));
    const { perHour, perMinute } = this.limits;
    // The total is read again at intervals: another replica may still give back a part of its count.
    if (counter.total(HOUR) >= perHour && (await counter.readHour(MAX_TOTAL_AGE_MS)) >= perHour)
      return this.deny('hourly_limit', counted, now);
    const rank = counter.total(minute) < perMinute ? await this.count(counter, minute) : null;
    if (rank === null) {
      await counter.readHour(MAX_TOTAL_AGE_MS);
      return this.deny('burst_limit', counted, now);
    }
    if (rank > perHour) return this.deny('hourly_limit', counted, now);
    return { quota: this.quotaOf(counted, rank), denied: null };
  }

  /**
   * The rank within the hour, or null when the minute is full. Far from both limits, one increment counts in both; otherwise
   * the hour follows the minute, because a request that the minute denies must not count in the hour. Where other replicas
   * have filled the minute meanwhile, the hour's count is given back.
   */
  private async count(counter: SharedCounter, minute: Window): Promise<number | null> {
    const { perHour, perMinute } = this.limits;
    const share = counter.total(minute) < 0 ? AT_ONCE_UNKNOWN : AT_ONCE;
    const isFarFromBoth =
      counter.expected(minute) < perMinute * share && counter.expected(HOUR) + 2 * perMinute <= perHour;
    if (!isFarFromBoth) {
      const [rankInMinute] = await counter.take([minute]);
      return rankInMinute! > perMinute ? null : this.countHour(counter, TRIES);
    }
    const [rankInMinute, rank] = await counter.take([minute, HOUR]);
    if (rankInMinute! <= perMinute && rank! <= perHour) return rank!;
    await counter.giveBack(HOUR);
    if (rankInMinute! > perMinute) return null;
    return this.countHour(counter, TRIES - 1);
  }

  /** The rank within the hour; a rank above the limit is given back. */
  private async countHour(counter: SharedCounter, tries: number): Promise<number> {
    const { perHour } = this.limits;
    for (let time = 1; ; time++) {
      const [rank] = await counter.take([HOUR]);
      if (rank! <= perHour) return rank!;
      await counter.giveBack(HOUR);
      // Other replicas also give back requests that the minute has denied: then one more may be within the limit.
      if (time === tries || counter.total(HOUR) >= perHour) return rank!;
    }
  }

  private deny(reason: 'hourly_limit' | 'burst_limit', counted: Counted, now: number): Admission {
    const lengthMs = reason === 'hourly_limit' ? HOUR_MS : MINUTE_MS;
    const retryAfterSeconds = Math.ceil((lengthMs - (now % lengthMs)) / 1000);
    const used = counted.counter.total(HOUR);
    return { quota: this.quotaOf(counted, used), denied: new AppError(reason, { retryAfterSeconds }) };
  }

  private quotaOf({ hour }: Counted, used: number): Quota {
    const limit = this.limits.perHour;
    return { limit, remaining: Math.max(0, limit - used), resetAtSeconds: ((hour + 1) * HOUR_MS) / 1000 };
  }

  private countedOf(account: string, now: number): Counted {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.prunedInHour) this.prune(hour);
    let counted = this.accounts.get(account);
    if (!counted || counted.hour !== hour) {
      counted = { hour, counter: new SharedCounter(`limits.${account}.${hour}`, this.increment) };
      this.accounts.set(account, counted);
    }
    return counted;
  }

  private prune(now: number): void {
    for (const [account, { hour }] of this.accounts) if (hour !== now) this.accounts.delete(account);
    this.prunedInHour = now;
  }
}

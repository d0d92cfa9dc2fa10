import type { Principal } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type Increment, SharedCounter } from './shared-counter.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How old the hour's total may be that a request is told whom the minute refuses. */
const TOLD_FOR_MS = 1_000;

/** Requests that an account may make in one environment within a clock hour and a clock minute (UTC). */
export interface Limits {
  perHour: number;
  perMinute: number;
}

/** What the X-RateLimit headers tell: they describe the hour. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Unix second at which the hour ends. */
  readonly resetAtSeconds: number;
}

/** What became of a request; `denied` says why it may not go on. */
export interface Admission {
  readonly quota: Quota;
  readonly denied: AppError | null;
}

interface Window {
  readonly index: number;
  readonly counter: SharedCounter;
}

interface AccountWindows {
  hour: Window;
  minute: Window;
}

/** Counts the requests of each account and environment, with all replicas, in two windows (contract, Limits). */
export class RateLimiter {
  private readonly accounts = new Map<string, AccountWindows>();
  private prunedInHour = 0;

  constructor(
    private readonly limits: Limits,
    private readonly increment: Increment,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Counts a request. A denied one costs nothing of the hour. Rejects with `unavailable` when nobody can count. */
  async admit({ env, accountId }: Principal): Promise<Admission> {
    const now = this.nowMs();
    const { hour, minute } = this.windowsOf(`${env}.${accountId}`, now);
    const { perHour, perMinute } = this.limits;
    if (hour.counter.total >= perHour) return this.deny('hourly_limit', hour, now);
    if (minute.counter.total >= perMinute || (await minute.counter.take()) > perMinute) {
      await hour.counter.read(TOLD_FOR_MS);
      return this.deny('burst_limit', hour, now);
    }
    const rank = await hour.counter.take();
    if (rank > perHour) return this.deny('hourly_limit', hour, now);
    return { quota: this.quotaOf(hour, rank), denied: null };
  }

  private deny(reason: 'hourly_limit' | 'burst_limit', hour: Window, now: number): Admission {
    const lengthMs = reason === 'hourly_limit' ? HOUR_MS : MINUTE_MS;
    const retryAfterSeconds = Math.ceil((lengthMs - (now % lengthMs)) / 1000);
    return { quota: this.quotaOf(hour, hour.counter.total), denied: new AppError(reason, { retryAfterSeconds }) };
  }

  private quotaOf(hour: Window, used: number): Quota {
    const limit = this.limits.perHour;
    return { limit, remaining: Math.max(0, limit - used), resetAtSeconds: ((hour.index + 1) * HOUR_MS) / 1000 };
  }

  private windowsOf(account: string, now: number): AccountWindows {
    const [hour, minute] = [Math.floor(now / HOUR_MS), Math.floor(now / MINUTE_MS)];
    if (hour !== this.prunedInHour) this.prune(hour);
    let windows = this.accounts.get(account);
    if (!windows || windows.hour.index !== hour) {
      windows = { hour: this.windowOf(account, 'hour', hour), minute: this.windowOf(account, 'minute', minute) };
      this.accounts.set(account, windows);
    }
    if (windows.minute.index !== minute) windows.minute = this.windowOf(account, 'minute', minute);
    return windows;
  }

  private windowOf(account: string, name: 'hour' | 'minute', index: number): Window {
    return { index, counter: new SharedCounter(`limits.${account}.${name}.${index}`, this.increment) };
  }

  private prune(hour: number): void {
    for (const [account, windows] of this.accounts) if (windows.hour.index !== hour) this.accounts.delete(account);
    this.prunedInHour = hour;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import {
  type Blocker,
  type BusySpan,
  barredAmong,
  blockersOf,
  busySpansOf,
  closedSpansOf,
  dayIdsOf,
  dayIdsOn,
  isExcluded,
  type TakenElement,
} from './claim.rules.js';
import type { Claim, ClaimElement, ExcludedClaim } from './claim.schema.js';
import { ClaimsRepository, type Conversion, type HandOver, type NewClaim } from './claims.repository.js';
import type { ClosedTime, Day } from './day.schema.js';
import { DayLocksService, type LockRequest, type Miss } from './day-locks.service.js';
import { DaysRepository } from './days.repository.js';
import type { Span } from './hours/span.rules.js';

export type { Claim, ClaimElement, ExcludedClaim, PlaceTerms, SkippedDate } from './claim.schema.js';
export type { Fence } from './claims.repository.js';
export type { BusyElement } from './day.schema.js';

// A claim leaves `taking` within milliseconds, on a busy machine within seconds; waiting avoids a needless rejection.
// The days of a lesson: its instructor, a member and a pool, rarely also those after midnight.
const MOST_UNREAD_DAYS = 4;
const PATIENCE_MS = 2_000;
const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 40;

/** A requested claim, and the state in which it ends. */
export interface ClaimRequest extends NewClaim {
  /** How long it is held, in ms; absent: confirmed at once. */
  holdMs?: number;
  /** Throws when the plan's assumptions no longer hold; runs after the time is locked and before the commit. */
  precondition?: () => Promise<void>;
  /** Throws when what was read for the elements has changed; runs when the claim has failed and nothing blocks it. */
  recheck?: () => Promise<void>;
  /** Whether something seems to be in the way: then it is looked for before anything is locked. */
  looksTaken?: boolean;
  /** Excluded claim: its time does not block this one. */
  excluded?: ExcludedClaim | undefined;
}

/** The claim, or the elements that overlap held or confirmed claims of others, or closed time. */
export type Taken = { claim: Claim } | { taken: TakenElement[] };

type Attempt = { claim: Claim } | { days: Day[] };
type Evaluated = { taken: TakenElement[]; waiting: boolean };

const pause = () => delay(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));

/**
 * Exclusive time. A claim is inserted, locks its day documents, and is then moved out of `taking` by one conditional update:
 * that is the commit. All days are first locked in one command, and days that do not exist are inserted with their lock. When
 * another claim is in the way, all locks are withdrawn, and the days are locked one by one, in the same order for every claim
 * and up to the first miss: so one of several competing claims succeeds. Only held and confirmed claims reject others; a
 * competing claim in `taking` is waited for, and an expired one is released first. No replica's clock decides.
 */
@Injectable()
export class CalendarService {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    private readonly locks: DayLocksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes all elements or none, or returns the claim that an earlier run of the request has confirmed. The elements must not
   * overlap each other: locks separate a claim only from others. Throws `busy_retry` when a claim in `taking` blocks it for too
   * long or a later run has fenced it off, and `deadline_exceeded`.
   */
  async take(request: ClaimRequest): Promise<Taken> {
    const { attempt = 1, deadline } = request.fence ?? {};
    const earlier = attempt > 1 ? await this.supersede(request.key, attempt) : null;
    if (earlier?.state === 'confirmed') return { claim: earlier };
    const endsAtMs = performance.now() + PATIENCE_MS;
    for (let isFirst = true; ; isFirst = false) {
      deadline?.check();
      const tried = await this.attempt(request, isFirst);
      if ('claim' in tried) return tried;
      const { taken, waiting } = await this.evaluate(tried.days, request);
      if (taken.length > 0) return { taken };
      if (!waiting) await request.recheck?.();
      deadline?.check();
      if (performance.now() > endsAtMs) throw new AppError('busy_retry', { retryAfterSeconds: 1 });
      // What another claim has inserted meanwhile is locked by the second try; all else takes a while.
      if (waiting || !isFirst) await pause();
    }
  }

  /** The elements for which the claims of others would reject a claim now; takes nothing. */
  async check(elements: ClaimElement[]): Promise<TakenElement[]> {
    return (await this.evaluate(await this.locks.read(elements), { elements })).taken;
  }

  /**
   * Fences off the earlier attempts of a request, so that none of their claims can be confirmed. Returns the claim that is
   * held or confirmed under the key by then.
   */
  async supersede(key: string, attempt: number): Promise<Claim | null> {
    await this.claims.fenceOff(key, attempt - 1);
    return this.claims.findLive(key);
  }

  /** Releases a claim in any state: first the claim, then its days, then its document. Idempotent. */
  async release(claimId: string): Promise<void> {
    await this.claims.markReleased(claimId, ['taking', 'held', 'confirmed']);
    const claim = await this.claims.findById(claimId);
    if (claim) await this.clear(claim);
  }

  /** Releases a claim that is not confirmed; false when it is. Idempotent. */
  async releaseOpen(claim: Claim): Promise<boolean> {
    await this.claims.markReleased(claim._id, ['taking', 'held']);
    const now = await this.claims.findById(claim._id);
    if (now?.state === 'confirmed') return false;
    await this.clear(claim);
    return true;
  }

  /**
   * Hands a held claim over to another key and plan, for `holdMs` more; null when it is no longer held under its key. Of
   * several competing hand-overs one succeeds.
   */
  async handOver(claim: Claim, to: HandOver): Promise<Claim | null> {
    return (await this.claims.markHandedOver(claim, to)) ? { ...claim, key: to.key } : null;
  }

  /** held under one key → confirmed under another, with its plan; null when it is no longer held, or the commit is too late. */
  async convert(claim: Claim, to: Conversion): Promise<Claim | null> {
    if (!(await this.claims.markConverted(claim, to))) return null;
    return { ...claim, key: to.key, plan: to.plan, state: 'confirmed' };
  }

  /** A claim in any state; null when it does not exist. */
  findClaim(claimId: string): Promise<Claim | null> {
    return this.claims.findById(claimId);
  }

  /** These claims in any state. */
  findClaims(claimIds: string[]): Promise<Claim[]> {
    return this.claims.findByIds(claimIds);
  }

  /** The claim of this key that is held or confirmed. */
  findLive(key: string): Promise<Claim | null> {
    return this.claims.findLive(key);
  }

  /** Whether any of the resource's time after an instant is taken or locked. */
  isTakenAfter(resource: string, atMs: number): Promise<boolean> {
    return this.days.hasBusyAfter(dayIdsOf(resource, atMs, atMs + 1)[0]!, atMs);
  }

  /** The busy time of these day documents, in one query; days that do not exist are left out. */
  findTakenOn(dayIds: string[]): ReturnType<DaysRepository['findTaken']> {
    return this.days.findTaken(dayIds);
  }

  /** Claims that were taken or fulfilled in part. */
  get unfinished(): ClaimsRepository['unfinished'] {
    return this.claims.unfinished;
  }

  /** Confirmed claims older than this that are fulfilled, in order of id. */
  findUnwatched(afterId: string, olderThanMs: number, limit: number): Promise<Claim[]> {
    return this.claims.findUnwatched(afterId, olderThanMs, limit);
  }

  /** Removes what was written to sessions of a member that are not published yet from the plans of their claims. */
  clearPlans(memberId: string): Promise<void> {
    return this.claims.clearPlans(memberId);
  }

  /** Marks confirmed claims as fulfilled, but for those that are over: their sessions or moves are stored, and published. Returns how many. */
  markFulfilled(claimIds: string[]): Promise<number> {
    return this.claims.markFulfilled(claimIds);
  }

  /** Busy spans of a resource that touch the range (epoch ms), without the excluded claim; an instructor's include buffers. */
  async busy(resource: string, fromMs: number, toMs: number, excluded?: ExcludedClaim): Promise<BusySpan[]> {
    const days = await this.days.findByIds(dayIdsOf(resource, fromMs, toMs));
    const busy = busySpansOf(days, (element) => !isExcluded(element, excluded));
    return busy.filter((span) => span.startMs < toMs && span.endMs > fromMs);
  }

  /** The closed time of these resources that touches the range (epoch ms). */
  async closed(resources: string[], fromMs: number, toMs: number): Promise<Span[]> {
    const days = await this.days.findByIds(resources.flatMap((resource) => dayIdsOf(resource, fromMs, toMs)));
    return closedSpansOf(days).filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs);
  }

  /** Closes time on these days. Nothing that is not confirmed yet takes it afterwards, and no later claim. Idempotent. */
  close(dayIds: string[], closed: ClosedTime): Promise<void> {
    return this.days.close(dayIds, closed);
  }

  /** Gives closed time back. Idempotent. */
  reopen(dayIds: string[], closureId: string): Promise<void> {
    return this.days.reopen(dayIds, closureId);
  }

  /** The existing ones of these days. */
  findDays(dayIds: string[]): Promise<Day[]> {
    return this.days.findByIds(dayIds);
  }

  /** The first instant from this one on at which none of these resources is closed (epoch ms). */
  async closedUntil(resources: string[], fromMs: number): Promise<number> {
    for (let atMs = fromMs; ; ) {
      const closed = await this.closed(resources, atMs, atMs + 1);
      if (closed.length === 0) return atMs;
      atMs = Math.max(...closed.map(({ endMs }) => endMs));
    }
  }

  /** Releases a claim if it has expired by the database's clock; returns whether it has. */
  async releaseIfLapsed(claim: Claim): Promise<boolean> {
    if (!(await this.claims.markLapsed(claim._id))) return false;
    await this.clear(claim);
    return true;
  }

  /** Removes a released claim from its days, and then its document. */
  clear(claim: Claim): Promise<void> {
    return this.locks.clear(claim);
  }

  // Needs the claim itself: its document may be gone already, and a late lock of it must not stay.
  private async abandon(claim: Claim, lockedOn?: string[]): Promise<void> {
    const isReleased = await this.claims.markReleased(claim._id, ['taking', 'held']);
    // An answer may be lost on its way: then its commit has succeeded, and the locks are those of a confirmed claim.
    if (!isReleased && (await this.claims.findById(claim._id))?.state === 'confirmed') return;
    await this.locks.clear(claim, lockedOn);
  }

  private async attempt(request: ClaimRequest, isFirst: boolean): Promise<Attempt> {
    // Locks of many days, of a claim that fails, would keep others from the free ones until they are withdrawn.
    const isUnread = isFirst && !request.looksTaken && dayIdsOn(request.elements).length <= MOST_UNREAD_DAYS;
    const blocked = isUnread ? null : await this.locks.prepare(request, { inserts: !isFirst });
    if (blocked) return { days: blocked };
    const claim = await this.claims.insertTaking(request, this.config.CLAIM_LEASE_MS);
    const miss = isFirst ? await this.locks.lockAtOnce(claim, request) : await this.locks.lockInOrder(claim, request);
    if (miss) return this.withdraw(claim, miss);
    await request.precondition?.().catch(async (error) => {
      await this.release(claim._id);
      throw error;
    });
    const { holdMs } = request;
    if (holdMs === undefined) {
      if (await this.claims.markConfirmed(claim)) return { claim: { ...claim, state: 'confirmed' } };
    } else if (await this.claims.markHeld(claim, holdMs)) return { claim: { ...claim, state: 'held' } };
    const withdrawn = await this.withdraw(claim, {});
    if ('claim' in withdrawn || !(await this.claims.isFencedOff(claim))) return withdrawn;
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }

  private async withdraw(claim: Claim, { lockedOn, days }: Miss): Promise<Attempt> {
    if (lockedOn?.length === 0) await this.claims.removeUntouched(claim._id);
    else await this.abandon(claim, lockedOn);
    const live = await this.claims.findLive(claim.key);
    if (live?.state === 'confirmed') return { claim: live };
    return { days: days ?? (await this.locks.read(claim.elements)) };
  }

  /** The elements that held and confirmed claims block, and whether a claim in `taking` may block others. */
  private async evaluate(days: Day[], { elements, excluded }: LockRequest): Promise<Evaluated> {
    const barred = barredAmong(days, elements);
    if (barred.length > 0) return { taken: barred, waiting: false };
    const blockers = blockersOf(days, elements, (busy) => !isExcluded(busy, excluded));
    if (blockers.length === 0) return { taken: [], waiting: false };
    const ids = [...new Set(blockers.map(({ claimId }) => claimId))];
    const claims = new Map((await this.claims.findByIds(ids)).map((claim) => [claim._id, claim]));
    const final = new Set<string>();
    let waiting = false;
    for (const id of ids) {
      const claim = claims.get(id);
      if (!claim) await this.releaseOrphan(id, blockers);
      else if (claim.state === 'released') await this.clear(claim);
      else if (claim.state === 'confirmed') final.add(id);
      else if (this.claims.seemsLapsed(claim) && (await this.releaseIfLapsed(claim))) continue;
      else if (claim.state === 'held') final.add(id);
      else waiting = true;
    }
    const kept = blockersOf(days, elements, (busy) => final.has(busy.c) && !isExcluded(busy, excluded));
    return { taken: [...new Set(kept.map(({ element }) => element))], waiting };
  }

  private async releaseOrphan(claimId: string, blockers: Blocker[]): Promise<void> {
    const dayIds = blockers.flatMap((blocker) => (blocker.claimId === claimId ? [blocker.dayId] : []));
    await this.days.pull([...new Set(dayIds)].sort(), claimId);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { AppError, CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import {
  type Blocker,
  type BusySpan,
  blockersOf,
  busySpansOf,
  dayIdsOf,
  dayIdsOn,
  elementsByDay,
  isExcluded,
  selfOverlaps,
} from './claim.rules.js';
import type { Claim, ClaimElement, ExcludedClaim } from './claim.schema.js';
import { ClaimsRepository, type Conversion, type HandOver, type NewClaim } from './claims.repository.js';
import type { BusyElement, Day } from './day.schema.js';
import { DaysRepository } from './days.repository.js';

export type { Claim, ClaimElement, ExcludedClaim, SkippedDate } from './claim.schema.js';
export type { Fence } from './claims.repository.js';
export type { BusyElement } from './day.schema.js';

// A claim that is being taken is decided in milliseconds; a busy machine may need longer, and to wait beats to reject.
const PATIENCE_MS = 2_000;
const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 40;

/** What a claim is to be, and the state it is to end in. */
export interface ClaimRequest extends NewClaim {
  /** Ms for which it is held; absent: confirmed at once. */
  holdMs?: number;
  /** Throws when what it was planned on stands no more; asked once its time is locked, before it counts. */
  precondition?: () => Promise<void>;
  /** Time that a claim cedes to this one. */
  excluded?: ExcludedClaim | undefined;
}

/** A claim that was taken, or the elements in whose way a held or confirmed claim of others stands. */
export type Taken = { claim: Claim } | { taken: ClaimElement[] };

type Attempt = { claim: Claim } | { days: Day[] };

const pause = () => delay(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));

/**
 * Exclusive time. A claim is inserted, locks its days, and is then moved out of `taking` by one conditional update: that is
 * the commit. The days are first locked in one command. Where one of them cannot be had, all are withdrawn and then locked
 * one by one, in one order for all and no further than the first that cannot: so of several who try one gets on. Only held
 * and confirmed claims reject others; one that is still being taken is waited for, one whose time is over is released
 * first. No clock decides who has a time.
 */
@Injectable()
export class CalendarService {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes all of the elements or none, or answers what an earlier run of the request has taken for good. Throws `busy_retry`
   * when others are being taken for too long or a later run has fenced this one off, and `deadline_exceeded` after its time.
   */
  async take(env: Environment, request: ClaimRequest): Promise<Taken> {
    const { attempt = 1, deadline } = request.fence ?? {};
    const earlier = attempt > 1 ? await this.supersede(env, request.key, attempt) : null;
    if (earlier?.state === 'confirmed') return { claim: earlier };
    const own = selfOverlaps(request.elements);
    if (own.length > 0) return { taken: own };
    const endsAtMs = performance.now() + PATIENCE_MS;
    let isFirst = true;
    for (;;) {
      deadline?.check();
      const tried = await this.attempt(env, request, isFirst);
      isFirst = false;
      if ('claim' in tried) return tried;
      const { taken, waiting } = await this.evaluate(env, tried.days, request.elements, request.excluded);
      if (taken.length > 0) return { taken };
      if (performance.now() > endsAtMs) throw new AppError('busy_retry', { retryAfterSeconds: 1 });
      if (waiting) await pause();
    }
  }

  /** The elements that a claim for them would be rejected for now; nothing is written. */
  async check(env: Environment, elements: ClaimElement[]): Promise<ClaimElement[]> {
    const own = selfOverlaps(elements);
    const { taken } = await this.evaluate(env, await this.read(env, elements), elements);
    return [...new Set([...own, ...taken])];
  }

  /**
   * Fences off the runs of a request before this attempt: whatever they claim is never confirmed from now on. The claim that
   * is held or confirmed under the key by then.
   */
  async supersede(env: Environment, key: string, attempt: number): Promise<Claim | null> {
    await this.claims.fenceOff(env, key, attempt - 1);
    return this.claims.findLive(env, key);
  }

  /** held → confirmed. The claim of this key that is then confirmed; null when it was released. */
  async confirm(env: Environment, claim: Claim): Promise<Claim | null> {
    if (await this.claims.markConfirmed(env, claim)) return { ...claim, state: 'confirmed' };
    const live = await this.claims.findLive(env, claim.key);
    if (live && live._id !== claim._id) await this.release(env, claim._id);
    return live?.state === 'confirmed' ? live : null;
  }

  /** Gives a claim up, whatever its state: the claim first, then its days, then its memory. Safe to repeat. */
  async release(env: Environment, claimId: string): Promise<void> {
    await this.claims.markReleased(env, claimId, ['taking', 'held', 'confirmed']);
    const claim = await this.claims.findById(env, claimId);
    if (claim) await this.clear(env, claim);
  }

  /** Gives up a claim that is only held; false when it was confirmed in this moment. Safe to repeat. */
  async releaseHeld(env: Environment, claim: Claim): Promise<boolean> {
    await this.claims.markReleased(env, claim._id, ['taking', 'held']);
    const now = await this.claims.findById(env, claim._id);
    if (now?.state === 'confirmed') return false;
    await this.clear(env, claim);
    return true;
  }

  /**
   * Hands a held claim over to another key and plan, for `holdMs` more; null when it was not held under its key any more.
   * Of several who try one succeeds.
   */
  async handOver(env: Environment, claim: Claim, to: HandOver): Promise<Claim | null> {
    return (await this.claims.markHandedOver(env, claim, to)) ? { ...claim, key: to.key } : null;
  }

  /** held under one key → confirmed under another, with its plan; null when it was not held any more, or that comes too late. */
  async convert(env: Environment, claim: Claim, to: Conversion): Promise<Claim | null> {
    if (!(await this.claims.markConverted(env, claim, to))) return null;
    return { ...claim, key: to.key, plan: to.plan, state: 'confirmed' };
  }

  /** A claim in whatever state; null when it is forgotten. */
  findClaim(env: Environment, claimId: string): Promise<Claim | null> {
    return this.claims.findById(env, claimId);
  }

  /** The claim of this key that is held or confirmed. */
  findLive(env: Environment, key: string): Promise<Claim | null> {
    return this.claims.findLive(env, key);
  }

  /** Whether anything of a resource's time after an instant is taken, or about to be. */
  isTakenAfter(env: Environment, resource: string, atMs: number): Promise<boolean> {
    return this.days.hasBusyAfter(env, dayIdsOf(resource, atMs, atMs + 1)[0]!, atMs);
  }

  /** What is taken on each of these day documents, in one query; those that do not exist are left out. */
  findTakenOn(env: Environment, dayIds: string[]): ReturnType<DaysRepository['findTaken']> {
    return this.days.findTaken(env, dayIds);
  }

  /** Claims whose time to be looked after has come. */
  findDue(env: Environment, limit: number): Promise<Claim[]> {
    return this.claims.findDue(env, limit);
  }

  /** Puts off the next look at a claim that cannot be looked after yet, unless it has changed since. */
  postpone(env: Environment, claim: Claim, delayMs: number): Promise<void> {
    return this.claims.postpone(env, claim, delayMs);
  }

  /** Confirmed claims older than this that nothing is left to be made of, in the order of their ids. */
  findUnwatched(env: Environment, afterId: string, olderThanMs: number, limit: number): Promise<Claim[]> {
    return this.claims.findUnwatched(env, afterId, olderThanMs, limit);
  }

  /** What confirmed claims were taken for has been made. */
  markFulfilled(env: Environment, claimIds: string[]): Promise<void> {
    return this.claims.markFulfilled(env, claimIds);
  }

  /** Taken time of a resource that touches the range, in epoch ms, but for what is excluded; an instructor's includes buffers. */
  async busy(
    env: Environment,
    resource: string,
    fromMs: number,
    toMs: number,
    excluded?: ExcludedClaim,
  ): Promise<BusySpan[]> {
    const days = await this.days.findByIds(env, dayIdsOf(resource, fromMs, toMs));
    const busy = busySpansOf(days, (element) => !isExcluded(element, excluded));
    return busy.filter((span) => span.startMs < toMs && span.endMs > fromMs);
  }

  /** Releases a claim if its time is over by the database's clock; whether it did. */
  async releaseIfLapsed(env: Environment, claim: Claim): Promise<boolean> {
    if (!(await this.claims.markLapsed(env, claim._id))) return false;
    await this.clear(env, claim);
    return true;
  }

  /** Takes a released claim off its days and forgets it. */
  async clear(env: Environment, claim: Claim): Promise<void> {
    await this.days.pull(env, dayIdsOn(claim.elements), claim._id);
    await this.claims.removeReleased(env, claim._id);
  }

  // With the claim in hand: others may have forgotten it by now, and a late lock of ours must not outlive it.
  private async abandon(env: Environment, claim: Claim): Promise<void> {
    await this.claims.markReleased(env, claim._id, ['taking', 'held']);
    await this.clear(env, claim);
  }

  private read(env: Environment, elements: ClaimElement[]): Promise<Day[]> {
    return this.days.findByIds(env, dayIdsOn(elements));
  }

  private async attempt(env: Environment, request: ClaimRequest, atOnce: boolean): Promise<Attempt> {
    const days = await this.read(env, request.elements);
    const stands = (busy: BusyElement) => !isExcluded(busy, request.excluded);
    if (blockersOf(days, request.elements, stands).length > 0) return { days };
    const byDay = elementsByDay(request.elements);
    const known = new Set(days.map((day) => day._id));
    // Before the claim: whoever releases it takes it off days that exist, so that a lock of ours that comes late misses.
    const missing = dayIdsOn(request.elements).filter((dayId) => !known.has(dayId));
    await this.days.insertMissing(env, missing);
    const claim = await this.claims.insertTaking(env, request, this.config.CLAIM_LEASE_MS);
    const locked = atOnce
      ? await this.days.pushAll(env, byDay, claim._id, request.excluded)
      : await this.lock(env, claim, byDay, request.excluded);
    if (locked < byDay.length) return this.withdraw(env, claim, locked, request.elements);
    await request.precondition?.().catch(async (error) => {
      await this.release(env, claim._id);
      throw error;
    });
    const { holdMs } = request;
    if (holdMs === undefined) {
      if (await this.claims.markConfirmed(env, claim)) return { claim: { ...claim, state: 'confirmed' } };
    } else if (await this.claims.markHeld(env, claim, holdMs)) return { claim: { ...claim, state: 'held' } };
    const withdrawn = await this.withdraw(env, claim, byDay.length, request.elements);
    if ('claim' in withdrawn || !(await this.claims.isFencedOff(env, claim))) return withdrawn;
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }

  /** Locks day after day until one is taken; how many it locked. A claim of many days renews its time on the way. */
  private async lock(
    env: Environment,
    claim: Claim,
    byDay: [string, ClaimElement[]][],
    excluded: ExcludedClaim | undefined,
  ): Promise<number> {
    let renewAtMs = performance.now() + this.config.CLAIM_LEASE_MS / 3;
    for (const [index, day] of byDay.entries()) {
      if (!(await this.days.push(env, day, claim._id, excluded))) return index;
      if (performance.now() < renewAtMs) continue;
      await this.claims.renew(env, claim._id, this.config.CLAIM_LEASE_MS);
      renewAtMs = performance.now() + this.config.CLAIM_LEASE_MS / 3;
    }
    return byDay.length;
  }

  private async withdraw(env: Environment, claim: Claim, locked: number, elements: ClaimElement[]): Promise<Attempt> {
    if (locked === 0) await this.claims.removeUntouched(env, claim._id);
    else await this.abandon(env, claim);
    const live = await this.claims.findLive(env, claim.key);
    if (live?.state === 'confirmed') return { claim: live };
    return { days: await this.read(env, elements) };
  }

  /** Which elements held and confirmed claims keep from being taken, and whether one that is being taken may yet. */
  private async evaluate(
    env: Environment,
    days: Day[],
    elements: ClaimElement[],
    excluded?: ExcludedClaim,
  ): Promise<{ taken: ClaimElement[]; waiting: boolean }> {
    const blockers = blockersOf(days, elements, (busy) => !isExcluded(busy, excluded));
    if (blockers.length === 0) return { taken: [], waiting: false };
    const ids = [...new Set(blockers.map(({ claimId }) => claimId))];
    const claims = new Map((await this.claims.findByIds(env, ids)).map((claim) => [claim._id, claim]));
    const final = new Set<string>();
    let waiting = false;
    for (const id of ids) {
      const claim = claims.get(id);
      if (!claim) await this.releaseOrphan(env, id, blockers);
      else if (claim.state === 'released') await this.clear(env, claim);
      else if (claim.state === 'confirmed') final.add(id);
      else if (this.claims.seemsLapsed(claim) && (await this.releaseIfLapsed(env, claim))) continue;
      else if (claim.state === 'held') final.add(id);
      else waiting = true;
    }
    const kept = blockersOf(days, elements, (busy) => final.has(busy.c) && !isExcluded(busy, excluded));
    return { taken: [...new Set(kept.map(({ element }) => element))], waiting };
  }

  private async releaseOrphan(env: Environment, claimId: string, blockers: Blocker[]): Promise<void> {
    const dayIds = blockers.flatMap((blocker) => (blocker.claimId === claimId ? [blocker.dayId] : []));
    await this.days.pull(env, [...new Set(dayIds)].sort(), claimId);
  }
}

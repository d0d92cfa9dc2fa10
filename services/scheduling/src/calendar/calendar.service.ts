import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type Blocker, blockersOf, dayIdsOf, elementsByDay, isCeded, selfOverlaps, spanOf } from './claim.rules.js';
import type { CededTime, Claim, ClaimElement } from './claim.schema.js';
import { ClaimsRepository, type HandOver, type NewClaim } from './claims.repository.js';
import type { BusyElement, Day } from './day.schema.js';
import { DaysRepository } from './days.repository.js';

export type { CededTime, Claim, ClaimElement } from './claim.schema.js';

/** How long, in ms, a claim that is being taken counts as alive. */
export const CLAIM_LEASE_MS = Symbol('claim lease');

// A claim that is being taken is decided in milliseconds; a busy machine may need longer, and to wait beats to refuse.
const PATIENCE_MS = 2_000;
const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 40;

/** What a claim is to be, and the state it is to end in. */
export interface ClaimRequest extends NewClaim {
  /** Ms for which it is held; absent: confirmed at once. */
  holdMs?: number;
  /** Throws when what it was planned on stands no more; asked once its time is locked, before it counts. */
  requireGround?: () => Promise<void>;
  /** Time that a claim cedes to this one. */
  ceded?: CededTime | undefined;
}

/** A claim that was taken, or the elements in whose way a held or confirmed claim of others stands. */
export type Taken = { claim: Claim } | { taken: ClaimElement[] };

type Attempt = { claim: Claim } | { days: Day[] };

const pause = () =>
  new Promise<void>((resolve) =>
    setTimeout(resolve, LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS)),
  );

/**
 * Exclusive time. A claim is inserted, locks its days one by one in one order for all, and is then moved out of `taking`
 * by one conditional update: that is the commit. Only held and confirmed claims refuse others; one that is still being
 * taken is waited for, one whose time is over is released first. No clock decides who has a time.
 */
@Injectable()
export class CalendarService {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    @Inject(CLAIM_LEASE_MS) private readonly leaseMs: number,
  ) {}

  /** Takes all of the elements or none. Throws `busy_retry` when others are being taken for longer than patience lasts. */
  async take(env: Environment, request: ClaimRequest): Promise<Taken> {
    const own = selfOverlaps(request.elements);
    if (own.length > 0) return { taken: own };
    const endsAtMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const attempt = await this.attempt(env, request);
      if ('claim' in attempt) return attempt;
      const { taken, waiting } = await this.judge(env, attempt.days, request.elements, request.ceded);
      if (taken.length > 0) return { taken };
      if (performance.now() > endsAtMs) throw new AppError('busy_retry', { retryAfterSeconds: 1 });
      if (waiting) await pause();
    }
  }

  /** The elements that a claim for them would be refused for now; nothing is written. */
  async check(env: Environment, elements: ClaimElement[]): Promise<ClaimElement[]> {
    const own = selfOverlaps(elements);
    const { taken } = await this.judge(env, await this.read(env, elements), elements);
    return [...new Set([...own, ...taken])];
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

  /** One session gives up its part; the last one takes the claim with it. Safe to repeat. */
  async leave(env: Environment, claimId: string, sessionId: string): Promise<void> {
    const claim = await this.claims.removeHolder(env, claimId, sessionId);
    if (!claim) return;
    if (claim.holders.length === 0) return this.release(env, claimId);
    const touched = claim.elements.filter((element) => element.holders.includes(sessionId));
    for (const [dayId] of elementsByDay(touched)) await this.days.removeHolder(env, dayId, claimId, sessionId);
  }

  /**
   * Hands a held claim over to another key and plan, for `holdMs` more; null when it was not held under its key any more.
   * Of several who try one succeeds.
   */
  async handOver(env: Environment, claim: Claim, to: HandOver): Promise<Claim | null> {
    return (await this.claims.markHandedOver(env, claim, to)) ? { ...claim, key: to.key } : null;
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

  /** Claims whose time to be looked after has come. */
  findDue(env: Environment, limit: number): Promise<Claim[]> {
    return this.claims.findDue(env, limit);
  }

  /** What a confirmed claim was taken for has been made. */
  markSettled(env: Environment, claimId: string): Promise<void> {
    return this.claims.markSettled(env, claimId);
  }

  /** Taken time of a resource that touches the range, in epoch ms, but for what is ceded; an instructor's includes buffers. */
  async busy(
    env: Environment,
    resource: string,
    fromMs: number,
    toMs: number,
    ceded?: CededTime,
  ): Promise<{ startMs: number; endMs: number }[]> {
    const days = await this.days.findByIds(env, dayIdsOf(resource, fromMs, toMs));
    const busy = days.flatMap((day) => day.busy).filter((element) => !isCeded(element, ceded));
    return busy.map(spanOf).filter((span) => span.startMs < toMs && span.endMs > fromMs);
  }

  /** Releases a claim if its time is over by the database's clock; whether it did. */
  async releaseIfLapsed(env: Environment, claim: Claim): Promise<boolean> {
    if (!(await this.claims.markLapsed(env, claim._id))) return false;
    await this.clear(env, claim);
    return true;
  }

  /** Takes a released claim off its days and forgets it. */
  async clear(env: Environment, claim: Claim): Promise<void> {
    for (const [dayId] of elementsByDay(claim.elements)) await this.days.pull(env, dayId, claim._id);
    await this.claims.removeReleased(env, claim._id);
  }

  // With the claim in hand: others may have forgotten it by now, and a late lock of ours must not outlive it.
  private async giveUp(env: Environment, claim: Claim): Promise<void> {
    await this.claims.markReleased(env, claim._id, ['taking', 'held']);
    await this.clear(env, claim);
  }

  private async read(env: Environment, elements: ClaimElement[]) {
    return this.days.findByIds(
      env,
      elementsByDay(elements).map(([dayId]) => dayId),
    );
  }

  private async attempt(env: Environment, request: ClaimRequest): Promise<Attempt> {
    const days = await this.read(env, request.elements);
    const stands = (busy: BusyElement) => !isCeded(busy, request.ceded);
    if (blockersOf(days, request.elements, stands).length > 0) return { days };
    const byDay = elementsByDay(request.elements);
    const claim = await this.claims.insertTaking(env, request, this.leaseMs);
    const known = new Set(days.map((day) => day._id));
    await this.days.insertMissing(
      env,
      byDay.map(([dayId]) => dayId).filter((dayId) => !known.has(dayId)),
    );
    const locked = await this.lock(env, claim, byDay, request.ceded);
    if (locked < byDay.length) return this.withdraw(env, claim, locked, request.elements);
    await this.keepGround(env, claim, request);
    if (await this.commit(env, claim, request))
      return { claim: { ...claim, state: request.holdMs === undefined ? 'confirmed' : 'held' } };
    return this.withdraw(env, claim, byDay.length, request.elements);
  }

  /** Locks day after day until one is taken; how many it locked. A claim of many days renews its time on the way. */
  private async lock(
    env: Environment,
    claim: Claim,
    byDay: [string, ClaimElement[]][],
    ceded: CededTime | undefined,
  ): Promise<number> {
    let renewAtMs = performance.now() + this.leaseMs / 3;
    for (const [index, day] of byDay.entries()) {
      if (!(await this.days.push(env, day, claim._id, ceded))) return index;
      if (performance.now() < renewAtMs) continue;
      await this.claims.renew(env, claim._id, this.leaseMs);
      renewAtMs = performance.now() + this.leaseMs / 3;
    }
    return byDay.length;
  }

  private async keepGround(env: Environment, claim: Claim, { requireGround }: ClaimRequest): Promise<void> {
    try {
      await requireGround?.();
    } catch (error) {
      await this.release(env, claim._id);
      throw error;
    }
  }

  private commit(env: Environment, claim: Claim, { holdMs }: ClaimRequest): Promise<boolean> {
    return holdMs === undefined ? this.claims.markConfirmed(env, claim) : this.claims.markHeld(env, claim._id, holdMs);
  }

  private async withdraw(env: Environment, claim: Claim, locked: number, elements: ClaimElement[]): Promise<Attempt> {
    if (locked === 0) await this.claims.removeUntouched(env, claim._id);
    else await this.giveUp(env, claim);
    const live = await this.claims.findLive(env, claim.key);
    if (live?.state === 'confirmed') return { claim: live };
    return { days: await this.read(env, elements) };
  }

  /** Which elements held and confirmed claims keep from being taken, and whether one that is being taken may yet. */
  private async judge(
    env: Environment,
    days: Day[],
    elements: ClaimElement[],
    ceded?: CededTime,
  ): Promise<{ taken: ClaimElement[]; waiting: boolean }> {
    const blockers = blockersOf(days, elements, (busy) => !isCeded(busy, ceded));
    if (blockers.length === 0) return { taken: [], waiting: false };
    const ids = [...new Set(blockers.map(({ claimId }) => claimId))];
    const claims = new Map((await this.claims.findByIds(env, ids)).map((claim) => [claim._id, claim]));
    const final = new Set<string>();
    let waiting = false;
    for (const id of ids) {
      const claim = claims.get(id);
      if (!claim || claim.state === 'released') await this.sweepAway(env, id, claim, blockers);
      else if (claim.state === 'confirmed') final.add(id);
      else if (this.claims.seemsLapsed(claim) && (await this.releaseIfLapsed(env, claim))) continue;
      else if (claim.state === 'held') final.add(id);
      else waiting = true;
    }
    const kept = blockersOf(days, elements, (busy) => final.has(busy.c) && !isCeded(busy, ceded));
    return { taken: [...new Set(kept.map(({ element }) => element))], waiting };
  }

  private async sweepAway(
    env: Environment,
    claimId: string,
    claim: Claim | undefined,
    blockers: Blocker[],
  ): Promise<void> {
    if (claim) return this.clear(env, claim);
    for (const { dayId } of blockers.filter((blocker) => blocker.claimId === claimId))
      await this.days.pull(env, dayId, claimId);
  }
}

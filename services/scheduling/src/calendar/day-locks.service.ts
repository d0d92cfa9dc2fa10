import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, currentEnvironment, Recent } from '@swim/platform';
import type { Config } from '../config.js';
import { blockersOf, dayIdsOn, elementsByDay, isExcluded, isLesson } from './claim.rules.js';
import type { Claim, ClaimElement, ExcludedClaim } from './claim.schema.js';
import { ClaimsRepository } from './claims.repository.js';
import type { Day } from './day.schema.js';
import { DaysRepository } from './days.repository.js';

// A month of 300 instructors and as many members takes some two mebibytes.
const REMEMBERED_DAYS = 20_000;

const keyOf = (dayId: string) => `${currentEnvironment()}|${dayId}`;

/** What a claim locks: its elements, and the claim that does not block it. */
export interface LockRequest {
  elements: ClaimElement[];
  excluded?: ExcludedClaim | undefined;
}

/** A claim that could not lock all of its days. */
export interface Miss {
  /** The ids of the days that it has locked; absent: any of its days. */
  lockedOn?: string[];
  /** Its days, with an element that blocks it; absent: they have to be read again. */
  days?: Day[];
}

/**
 * Locks the day documents of claims, at once or in order, and removes the locks of released ones. A release is recorded on all
 * days of the claim, also on those that did not exist, so that no late lock of it succeeds; only a run that withdraws its own
 * claim, with no lock of it on the way, names the days that it has locked.
 */
@Injectable()
export class DayLocksService {
  /** Days that this process has found or inserted, by environment and id: a hint, since a reset of the sandbox removes days. */
  private readonly seen = new Recent<true>(REMEMBERED_DAYS);

  constructor(
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The existing days of these elements. */
  read(elements: ClaimElement[]): Promise<Day[]> {
    return this.days.findByIds(dayIdsOn(elements));
  }

  /**
   * Locks all days without reading them; null when all are locked. Days that this process has not seen are inserted with their lock,
   * once the others are locked: most lessons are the first of their member's day. After a miss, unless another claim blocks a day,
   * the missing days are inserted, and those that others inserted or left meanwhile are tried once more.
   */
  async lockAtOnce(claim: Claim, request: LockRequest): Promise<Miss | null> {
    const byDay = elementsByDay(request.elements);
    const areLocked = await this.lockUnread(claim, byDay, request.excluded);
    const miss = areLocked ? null : await this.lockRead(claim, byDay, request);
    if (!miss) this.remember(dayIdsOn(request.elements));
    return miss;
  }

  /** Whether all days could be locked without a look at them. */
  private async lockUnread(
    { _id }: Claim,
    byDay: [string, ClaimElement[]][],
    excluded?: ExcludedClaim,
  ): Promise<boolean> {
    const seen = byDay.filter(([dayId]) => this.hasSeen(dayId));
    const unseen = byDay.filter((day) => !seen.includes(day));
    if ((await this.days.pushAll(seen, _id, excluded)) < seen.length) return false;
    if (await this.days.insertLocked(unseen, _id)) return true;
    return (await this.days.pushAll(unseen, _id, excluded)) === unseen.length;
  }

  private hasSeen(dayId: string): boolean {
    return isLesson(dayId) || (this.seen.get(keyOf(dayId)) ?? false);
  }

  private remember(dayIds: Iterable<string>): void {
    for (const dayId of dayIds) this.seen.set(keyOf(dayId), true);
  }

  private async lockRead(
    { _id }: Claim,
    byDay: [string, ClaimElement[]][],
    request: LockRequest,
  ): Promise<Miss | null> {
    const { elements, excluded } = request;
    const days = await this.read(elements);
    if (isBlocked(days, request)) return { lockedOn: [...lockedBy(_id, days)], days };
    const known = new Set(days.map((day) => day._id));
    const missing = byDay.filter(([dayId]) => !known.has(dayId) && !isLesson(dayId));
    const areInserted = await this.days.insertLocked(missing, _id);
    const locked = lockedBy(_id, areInserted ? days : await this.read(elements));
    if (areInserted) for (const [dayId] of missing) locked.add(dayId);
    const left = byDay.filter(([dayId]) => !locked.has(dayId));
    return (await this.days.pushAll(left, _id, excluded)) === left.length ? null : {};
  }

  /** Reads the days of a request, and returns them when another claim blocks one; otherwise it may insert those that are missing. */
  async prepare(request: LockRequest, { inserts }: { inserts: boolean }): Promise<Day[] | null> {
    const days = await this.read(request.elements);
    const known = new Set(days.map(({ _id }) => _id));
    this.remember(known);
    if (isBlocked(days, request)) return days;
    const missing = dayIdsOn(request.elements).filter((dayId) => !known.has(dayId));
    if (inserts) await this.days.insertMissing(missing);
    return null;
  }

  /** Locks day after day until one misses; null when all are locked. A claim of many days renews its lease meanwhile. */
  async lockInOrder({ _id }: Claim, { elements, excluded }: LockRequest): Promise<Miss | null> {
    const leaseMs = this.config.CLAIM_LEASE_MS;
    let renewAtMs = performance.now() + leaseMs / 3;
    for (const [index, day] of elementsByDay(elements).entries()) {
      if (!(await this.days.push(day, _id, excluded))) return index === 0 ? { lockedOn: [] } : {};
      if (performance.now() < renewAtMs) continue;
      await this.claims.renew(_id, leaseMs);
      renewAtMs = performance.now() + leaseMs / 3;
    }
    return null;
  }

  /** Removes a released claim from its days, or only from these, and then its document. */
  async clear(claim: Claim, dayIds?: string[]): Promise<void> {
    await this.leave(claim, dayIds);
    await this.claims.removeReleased(claim._id);
  }

  /** Removes a claim from its days, or only from these. */
  async leave({ _id, elements }: Claim, dayIds: string[] = dayIdsOn(elements)): Promise<void> {
    if (await this.days.pull(dayIds, _id)) return;
    // Otherwise a late lock could insert a day, or succeed on one that another claim inserts afterwards.
    await this.days.insertMissing(dayIds);
    await this.days.pull(dayIds, _id);
  }

  /** Removes claims from their days, each day at once. */
  async leaveAll(claims: readonly Claim[]): Promise<void> {
    const claimsOf = new Map<string, string[]>();
    for (const { _id, elements } of claims)
      for (const dayId of dayIdsOn(elements)) claimsOf.set(dayId, [...(claimsOf.get(dayId) ?? []), _id]);
    if (await this.days.pullAll(claimsOf)) return;
    await this.days.insertMissing([...claimsOf.keys()]);
    await this.days.pullAll(claimsOf);
  }
}

const isBlocked = (days: Day[], { elements, excluded }: LockRequest): boolean =>
  blockersOf(days, elements, (busy) => !isExcluded(busy, excluded)).length > 0;

/** The ids of the days with an element of this claim. */
const lockedBy = (claimId: string, days: Day[]): Set<string> =>
  new Set(days.flatMap(({ _id, busy }) => (busy.some(({ c }) => c === claimId) ? [_id] : [])));

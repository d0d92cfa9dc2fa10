import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import { blockersOf, dayIdsOn, elementsByDay, isExcluded } from './claim.rules.js';
import type { Claim, ClaimElement, ExcludedClaim } from './claim.schema.js';
import { ClaimsRepository } from './claims.repository.js';
import type { Day } from './day.schema.js';
import { DaysRepository } from './days.repository.js';

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
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The existing days of these elements. */
  read(env: Environment, elements: ClaimElement[]): Promise<Day[]> {
    return this.days.findByIds(env, dayIdsOn(elements));
  }

  /**
   * Locks all days in one command; null when all are locked. After a miss, unless another claim blocks a day, the missing days
   * are inserted with their lock, and those that others inserted or left meanwhile are tried once more.
   */
  async lockAtOnce(env: Environment, { _id }: Claim, request: LockRequest): Promise<Miss | null> {
    const { elements, excluded } = request;
    const byDay = elementsByDay(elements);
    if ((await this.days.pushAll(env, byDay, _id, excluded)) === byDay.length) return null;
    const days = await this.read(env, elements);
    if (isBlocked(days, request)) return { lockedOn: [...lockedBy(_id, days)], days };
    const known = new Set(days.map((day) => day._id));
    const missing = byDay.filter(([dayId]) => !known.has(dayId));
    const areInserted = await this.days.insertLocked(env, missing, _id);
    const locked = lockedBy(_id, areInserted ? days : await this.read(env, elements));
    if (areInserted) for (const [dayId] of missing) locked.add(dayId);
    const left = byDay.filter(([dayId]) => !locked.has(dayId));
    return (await this.days.pushAll(env, left, _id, excluded)) === left.length ? null : {};
  }

  /** Inserts the missing days of a request; returns its days instead when another claim blocks one. */
  async prepare(env: Environment, request: LockRequest): Promise<Day[] | null> {
    const days = await this.read(env, request.elements);
    if (isBlocked(days, request)) return days;
    const known = new Set(days.map((day) => day._id));
    await this.days.insertMissing(
      env,
      dayIdsOn(request.elements).filter((dayId) => !known.has(dayId)),
    );
    return null;
  }

  /** Locks day after day until one misses; null when all are locked. A claim of many days renews its lease meanwhile. */
  async lockInOrder(env: Environment, { _id }: Claim, { elements, excluded }: LockRequest): Promise<Miss | null> {
    const leaseMs = this.config.CLAIM_LEASE_MS;
    let renewAtMs = performance.now() + leaseMs / 3;
    for (const [index, day] of elementsByDay(elements).entries()) {
      if (!(await this.days.push(env, day, _id, excluded))) return index === 0 ? { lockedOn: [] } : {};
      if (performance.now() < renewAtMs) continue;
      await this.claims.renew(env, _id, leaseMs);
      renewAtMs = performance.now() + leaseMs / 3;
    }
    return null;
  }

  /** Removes a released claim from its days, or only from these, and then its document. */
  async clear(env: Environment, { _id, elements }: Claim, dayIds: string[] = dayIdsOn(elements)): Promise<void> {
    if (!(await this.days.pull(env, dayIds, _id))) {
      // Otherwise a late lock could insert a day, or succeed on one that another claim inserts afterwards.
      await this.days.insertMissing(env, dayIds);
      await this.days.pull(env, dayIds, _id);
    }
    await this.claims.removeReleased(env, _id);
  }
}

const isBlocked = (days: Day[], { elements, excluded }: LockRequest): boolean =>
  blockersOf(days, elements, (busy) => !isExcluded(busy, excluded)).length > 0;

/** The ids of the days with an element of this claim. */
const lockedBy = (claimId: string, days: Day[]): Set<string> =>
  new Set(days.flatMap(({ _id, busy }) => (busy.some(({ c }) => c === claimId) ? [_id] : [])));

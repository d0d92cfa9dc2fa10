import { Injectable } from '@nestjs/common';
import type { Hold, Page } from '@swim/contracts';
import {
  type AccountClock,
  AggregateRepository,
  asSystem,
  Databases,
  type Decision,
  type Filter,
  type ListQuery,
  type Managed,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext, systemContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type HoldDocument, holdSchema } from './hold.schema.js';

/** The fields of a new hold. */
export type NewHold = Pick<
  HoldDocument,
  | '_id'
  | 'accountId'
  | 'schoolId'
  | 'instructorId'
  | 'memberIds'
  | 'location'
  | 'slots'
  | 'waitlistId'
  | 'classId'
  | 'lastsMs'
  | 'clockOffsetMs'
>;

// A claim takes milliseconds, at worst its patience of two seconds.
const CLAIMING_MS = 5_000;
// A school has 30 of its own, and each of its families three.
const MOST_ACTIVE = 5_000;

/** Filters of a list of holds. */
interface HoldFilters {
  instructor_id?: string | undefined;
  status?: readonly Hold['status'][] | undefined;
}

// Past its end a hold is expired, whether or not the sweep has processed it.
const CONDITIONS: Record<Hold['status'], (now: Date) => Filter> = {
  active: (now) => ({ status: 'active', expiresAt: mongoose.trusted({ $gt: now }) }),
  converted: () => ({ status: 'converted' }),
  expired: (now) => ({
    $or: [{ status: 'expired' }, { status: 'active', expiresAt: mongoose.trusted({ $lte: now }) }],
  }),
};

const REASON = 'the service itself changes the states of holds';
const inward = asSystem(REASON);

/** Storage of holds. */
@Injectable()
export class HoldsRepository extends AggregateRepository<HoldDocument> {
  /** Holds that have expired, and those that a crash has left in `claiming`. */
  readonly due = this.work({ name: 'holds', due: 'dueAt', reason: REASON });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('holds', holdSchema), relay);
  }

  /** Now, by the database's clock, which alone decides when a hold has ended. */
  now(): Date {
    return this.databases.clock.now();
  }

  /** Stores a hold whose time is to be claimed next; returns an existing one of this id unchanged. */
  insertClaiming(context: RequestContext, hold: NewHold): Promise<HoldDocument> {
    return this.create(context, this.claiming(hold));
  }

  /** A hold as it would be stored. */
  claiming(hold: NewHold): Omit<HoldDocument, Managed> {
    const ends = { claimId: null, bookingId: null, expiresAt: null, endedAt: null };
    return { ...hold, ...ends, readers: [], status: 'claiming', dueAt: this.databases.clock.inMs(CLAIMING_MS) };
  }

  /** Throws `resource_not_found` when the account sees no such hold. */
  async getVisible(context: RequestContext, id: string): Promise<HoldDocument> {
    const hold = await this.lookUp(context.principal, id);
    if (!hold) throw new AppError('resource_not_found');
    return hold;
  }

  /** The holds that the account sees, newest first. */
  listVisible(context: RequestContext, query: HoldFilters & ListQuery): Promise<Page<HoldDocument>> {
    const { instructor_id, status } = query;
    const filter = {
      ...(instructor_id ? { instructorId: instructor_id } : {}),
      ...(status ? { $or: status.map((each) => CONDITIONS[each](this.now())) } : {}),
    };
    return this.listPage(context.principal, query, { name: 'own holds', filter, cursors: this.cursors });
  }

  findVisible(context: RequestContext, id: string): Promise<HoldDocument | null> {
    return this.lookUp(context.principal, id);
  }

  /** A hold in any state, also one without readers. */
  findAny(id: string): Promise<HoldDocument | null> {
    return this.lookUp(inward, id);
  }

  /** Active holds of an account that a clock may end, those that have ended first. */
  findActiveOf(accountId: string): Promise<HoldDocument[]> {
    // The date of the partial index: only open holds are in it.
    const active = { dueAt: mongoose.trusted({ $type: 'date' }), readers: accountId, status: 'active' };
    return this.findMany(inward, active, { expiresAt: 1 }, MOST_ACTIVE);
  }

  /** Applies the clock of a test account to its active holds. */
  applyClock(clock: AccountClock): Promise<void> {
    const active = { dueAt: { $type: 'date' }, status: 'active' };
    return this.applyClockTo({ filter: active, dates: ['expiresAt', 'dueAt'] }, clock);
  }

  /** Active holds of an account, or on the time of a school's instructors; of these, those made before an instant. */
  async findActiveIdsOf(accountId: string, limit: number, before?: Date): Promise<string[]> {
    const active = { readers: accountId, status: 'active', ...(before ? { createdAt: { $lt: before } } : {}) };
    return (await this.findPicked(inward, active, [], { limit })).map(({ _id }) => _id);
  }

  /** claiming → active, from now on. */
  markActive(
    id: string,
    { claimId, until }: { claimId: string; until: Date | undefined },
  ): Promise<HoldDocument | null> {
    return this.change(id, (now) => {
      if (now.status !== 'claiming') return null;
      // A hold that a crash or a slow response has delayed does not outlast its claim.
      const lasts = this.databases.clock.inMs(now.lastsMs);
      const expiresAt = until && until < lasts ? until : lasts;
      const readers = [...new Set([now.accountId, now.schoolId])];
      // The sweep makes sure that the entry of an offer is marked as offered.
      const dueAt = now.waitlistId ? this.databases.clock.inMs(CLAIMING_MS) : expiresAt;
      return { status: 'active', readers, claimId, expiresAt, dueAt };
    });
  }

  /** active → converted: a booking has its time. */
  markConverted(id: string, bookingId: string): Promise<HoldDocument | null> {
    return this.change(id, (now) =>
      now.status === 'active' ? { status: 'converted', bookingId, ...this.ended() } : null,
    );
  }

  /** active → expired. */
  markExpired(id: string): Promise<HoldDocument | null> {
    return this.change(id, (now) => (now.status === 'active' ? { status: 'expired', ...this.ended() } : null));
  }

  /** The school takes the time of an active hold back: it ends now. */
  async markTakenBack(id: string): Promise<void> {
    await this.change(id, (now) => (now.status === 'active' ? { isTakenBack: true, ...this.endingNow(now) } : null));
  }

  /** Schedules the sweep of an active hold for its end. */
  async scheduleEnd(id: string): Promise<void> {
    await this.change(id, (now) => (now.status === 'active' ? { dueAt: now.expiresAt } : null));
  }

  /** Ends an active hold now; the sweep makes sure that its time is released. */
  async markOver(id: string): Promise<void> {
    await this.change(id, (now) => (now.status === 'active' ? this.endingNow(now) : null));
  }

  /** Removes all readers from the hold. */
  async hide(id: string): Promise<void> {
    await this.change(id, (now) => (now.status === 'active' ? { readers: [] } : null));
  }

  /** Postpones the sweep of a hold that a booking is converting. */
  async postpone(id: string): Promise<void> {
    await this.change(id, (now) => (now.dueAt ? { dueAt: this.databases.clock.inMs(CLAIMING_MS) } : null));
  }

  /** Removes a hold whose time was not claimed. */
  async forgetClaiming(id: string): Promise<void> {
    await this.remove(inward, { _id: id, status: 'claiming' });
  }

  /** Removes a hold whose time was released, unconditionally: a late repetition of its request may still run. */
  async forget(id: string): Promise<void> {
    await this.removeForGood(inward, { _id: id, status: { $ne: 'converted' } });
  }

  /** The end of an active hold; null when it has ended. */
  private endingNow({ expiresAt }: HoldDocument): Pick<HoldDocument, 'expiresAt' | 'dueAt'> | null {
    const at = this.databases.clock.now();
    return expiresAt && expiresAt > at ? { expiresAt: at, dueAt: this.databases.clock.inMs(CLAIMING_MS) } : null;
  }

  private ended(): Pick<HoldDocument, 'dueAt' | 'endedAt'> {
    return { dueAt: null, endedAt: this.databases.clock.now() };
  }

  /** The hold as it is after `decide`; null when there is none. */
  private async change(
    id: string,
    decide: (now: HoldDocument) => Decision<HoldDocument>['set'] | null,
  ): Promise<HoldDocument | null> {
    const changed = await this.mutate(inward, id, { ...systemContext(''), opId: null }, (now) => {
      const set = decide(now);
      return set && { set };
    });
    return changed?.document ?? null;
  }
}

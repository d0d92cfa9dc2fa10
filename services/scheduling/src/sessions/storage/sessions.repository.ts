import { Injectable } from '@nestjs/common';
import {
  type Page,
  type sessionAttendanceRecorded,
  type sessionCancelled,
  type sessionCompleted,
  sessionCreated,
  sessionReminder,
  type sessionRescheduled,
  type sessionUpdated,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  between,
  type Changed,
  type CreatedAll,
  Databases,
  type Decision,
  type DoneOp,
  type Filter,
  type ListQuery,
  type NewEvent,
  OutboxRelay,
  oneOf,
  previousOf,
  type Scope,
} from '@swim/mongo';
import { AppError, CursorCodec, currentEnvironment, type RequestContext, timeOfId } from '@swim/platform';
import mongoose from 'mongoose';
import { contextOfPlan } from '../../lessons/plan-context.js';
import { byDate } from './cancellation.rules.js';
import { toSession, toSessionObject } from './session.mapper.js';
import { type Ownership, type SessionPlan, sessionsOf } from './session.rules.js';
import { type SessionDocument, sessionSchema } from './session.schema.js';
import { SessionTexts } from './session-texts.service.js';

// More than any member has, and the maximum of one query.
const MOST_OF_MEMBER = 60_000;

const ofErased = asSystem('an erasure reaches every session of the member');

export interface SessionFilters {
  instructor_id?: string | undefined;
  member_id?: string | undefined;
  booking_id?: string | undefined;
  status?: readonly string[] | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Whose sessions: a member's, or those that an account sees; a school sees those with its instructors. */
type Whose = { memberId: string } | (Filter & { readers: string });

type SessionEvent =
  | typeof sessionUpdated
  | typeof sessionRescheduled
  | typeof sessionCancelled
  | typeof sessionCompleted
  | typeof sessionAttendanceRecorded;

const CREATED: NewEvent<SessionDocument>[] = [{ type: sessionCreated, object: toSessionObject }];

/** When the sessions of a plan were booked. */
export const madeAtOf = ({ bookingId, sessions }: SessionPlan): Date => timeOfId(bookingId ?? sessions[0]!.id);

/** Storage of sessions. */
@Injectable()
export class SessionsRepository extends AggregateRepository<SessionDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly texts: SessionTexts,
  ) {
    super(databases.collection('sessions', sessionSchema), relay);
  }

  protected override opened(stored: SessionDocument[]): Promise<SessionDocument[]> {
    return Promise.all(stored.map((session) => this.texts.open(session)));
  }

  protected override sealed<F extends Partial<SessionDocument>>(fields: F, of: SessionDocument): Promise<F> {
    return this.texts.seal(fields, of);
  }

  // A session of a hold has had its id since the hold was made.
  protected override madeAt({ bookingId, _id }: SessionDocument): Date {
    return timeOfId(bookingId ?? _id);
  }

  protected override openedAnswer(done: DoneOp, of: SessionDocument): Promise<unknown> {
    return this.texts.openAnswer(done, of);
  }

  /**
   * Inserts the sessions of a confirmed claim's plan; existing ones stay unchanged. Their creation is published from the plan, which
   * the claim keeps until then.
   */
  async insertPlanned(stored: SessionPlan, claimId: string): Promise<CreatedAll<SessionDocument>> {
    const plan = await this.texts.openPlan(stored);
    return this.createAll(contextOfPlan(plan.cause), sessionsOf(plan, claimId, madeAtOf(plan).getTime()), CREATED);
  }

  /** Regardless of their readers, for the service's own work. */
  findByIds(ids: string[]): Promise<SessionDocument[]> {
    return this.findMany(asSystem('the claim names its sessions'), { _id: { $in: ids } }, { start: 1, _id: 1 });
  }

  /** All sessions of a booking, regardless of their readers. */
  findMade(bookingId: string): Promise<SessionDocument[]> {
    return this.findMany(asSystem('a booking reads its own sessions'), ofBookings([bookingId]), {
      start: 1,
      _id: 1,
    });
  }

  /** The claims that these sessions own or are about to release. */
  findOwnership(ids: string[]): Promise<Ownership[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const fields = ['claimId', 'drop', 'status'] as const;
    const scope = asSystem('the claim names its sessions');
    return this.findPicked(scope, { _id: { $in: ids } }, fields, { limit: ids.length });
  }

  /** Throws `resource_not_found` when the account sees no such session. */
  async getVisible(context: RequestContext, id: string): Promise<SessionDocument> {
    const session = await this.lookUp(context.principal, id);
    if (!session) throw new AppError('resource_not_found');
    return session;
  }

  listVisible(
    context: RequestContext,
    name: string,
    query: SessionFilters & ListQuery,
  ): Promise<Page<SessionDocument>> {
    const order = { date: 'start', ascending: true };
    const findsFew = query.booking_id !== undefined || query.member_id !== undefined;
    const list = { name, filter: toFilter(query), findsFew, order, cursors: this.cursors };
    return this.listPage(context.principal, query, list);
  }

  async findOfBookings(context: RequestContext, bookingIds: string[]): Promise<SessionDocument[]> {
    return (await this.viewsBy(context.principal, 'bookingId', bookingIds)).sort(byDate);
  }

  /**
   * Changes a session that the account sees, or that is in the scope of the service's own work, as `decide` returns, with one event
   * of the given type and the next version. Null from `decide` changes nothing.
   */
  async change(
    context: RequestContext,
    of: string | SessionDocument,
    event: SessionEvent,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
    scope: Scope = context.principal,
  ): Promise<Changed<SessionDocument>> {
    const changed = await this.mutate(scope, of, context, (now) => {
      const set = decide(now);
      if (!set) return null;
      const version = now.version + 1;
      const previous = previousOf(toSessionObject(now), toSessionObject({ ...now, ...set, version }));
      return {
        set: { ...set, version },
        events: [{ type: event, object: toSessionObject, previous }],
        answer: toSession,
      };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Sends a reminder of a session for which `decide` returns the next due time; its version stays. */
  async remind(
    context: RequestContext,
    id: string,
    decide: (now: SessionDocument) => Pick<SessionDocument, 'nextDueAt'> | null,
  ): Promise<void> {
    await this.mutate(asSystem('reminders are the work of the service'), id, context, (now) => {
      const set = decide(now);
      return set && { set, events: [{ type: sessionReminder, object: toSessionObject }], unseen: true };
    });
  }

  /** Changes internal fields: abandoned moves and clean-up. Null when `decide` finds nothing to do. */
  async changeInwardly(
    context: RequestContext,
    of: string | SessionDocument,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
  ): Promise<SessionDocument | null> {
    const quiet = { ...context, opId: null };
    const scope = asSystem('access was checked when the session was read');
    let changed = false;
    const result = await this.mutate(scope, of, quiet, (now) => {
      const set = decide(now);
      changed = set !== null;
      return set && { set, unseen: true };
    });
    return changed && result ? result.document : null;
  }

  /** Scheduled sessions of a member, or that an account sees, that have not begun, each by its own clock; the next first. */
  async findIdsToCome(whose: Whose, now: Date, limit = MOST_OF_MEMBER): Promise<string[]> {
    const byClock = { $expr: { $gt: ['$start', { $add: [now, { $ifNull: ['$clockOffsetMs', 0] }] }] } };
    const toCome = {
      ...whose,
      status: 'scheduled',
      start: { $gt: now },
      ...(currentEnvironment() === 'live' ? {} : byClock),
    };
    return (await this.findPicked(ofErased, toCome, [], { sort: { start: 1 }, limit })).map(({ _id }) => _id);
  }

  /** Sessions that an account sees, made before an instant, that can be cancelled. */
  async findIdsOpen(accountId: string, before: Date, limit: number): Promise<string[]> {
    const open = { readers: accountId, status: 'scheduled', attendanceIsFinal: null, createdAt: { $lt: before } };
    return (await this.findPicked(ofErased, open, [], { limit })).map(({ _id }) => _id);
  }

  /** The members that an account has or had sessions for. */
  async findMembersOf(accountId: string): Promise<string[]> {
    const own = { readers: accountId, accountId };
    const found = await this.findPicked<'memberId'>(ofErased, own, ['memberId'], { limit: MOST_OF_MEMBER });
    return [...new Set(found.map(({ memberId }) => memberId))];
  }

  /** Sessions of a member, and of all its bookings, that contain texts. */
  async findIdsWithTexts(memberId: string): Promise<string[]> {
    const own = await this.findPicked<'bookingId'>(ofErased, { memberId }, ['bookingId'], {
      limit: MOST_OF_MEMBER,
    });
    const bookings = [...new Set(own.flatMap(({ bookingId }) => bookingId ?? []))];
    const [alone, together] = [{ memberId }, ofBookings(bookings)];
    return [...new Set([...(await this.findIdsWritten(alone)), ...(await this.findIdsWritten(together))])];
  }

  /** Those of these sessions that contain texts or metadata. */
  async findIdsWritten(whose: Filter, limit = MOST_OF_MEMBER): Promise<string[]> {
    return (await this.findPicked(ofErased, { ...whose, ...written() }, [], { limit })).map(({ _id }) => _id);
  }

  /** Removes texts, metadata and the stored answers of changes. Publishes nothing, but moves `updatedAt` where clients see a change. */
  async clearTexts(context: RequestContext, id: string): Promise<void> {
    await this.mutate(ofErased, id, { ...context, opId: null }, (now) => ({
      set: {
        notes: null,
        priceReason: null,
        metadata: [],
        cancellation: now.cancellation && { ...now.cancellation, reason: null },
      },
      unseen: now.notes === null && !now.cancellation?.reason && !now.metadata?.length,
      forgetsAnswers: true,
    }));
  }
}

// States the condition of the partial index, which is used only then.
const ofBookings = (ids: string[]): Filter => ({ bookingId: { $type: 'string', $in: ids } });
function written(): Filter {
  const set = mongoose.trusted({ $ne: null });
  const some = mongoose.trusted({ $exists: true });
  return { $or: [{ notes: set }, { 'cancellation.reason': set }, { 'metadata.0': some }, { 'ops.0': some }] };
}

function toFilter({ instructor_id, member_id, booking_id, status, date_from, date_to }: SessionFilters): Filter {
  return {
    ...(instructor_id === undefined ? {} : { instructorId: instructor_id }),
    ...(member_id === undefined ? {} : { memberId: member_id }),
    ...(booking_id === undefined ? {} : ofBookings([booking_id])),
    ...oneOf('status', status),
    ...between('start', date_from, date_to),
  };
}

import { Injectable } from '@nestjs/common';
import {
  type Environment,
  type Page,
  type sessionAttendanceRecorded,
  type sessionCancelled,
  type sessionCompleted,
  sessionCreated,
  type sessionRescheduled,
  type sessionUpdated,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  DataMigrations,
  type Decision,
  type DoneOp,
  type Filter,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { toSession, toSessionObject } from './session.mapper.js';
import { type Ownership, previousOf, type SessionPlan, sessionsOf } from './session.rules.js';
import { type SessionDocument, type SessionMove, sessionSchema } from './session.schema.js';
import { SessionTexts } from './session-texts.service.js';

const CLEAN_UP_MS = 2_000;
// More than anybody has; as much as one query answers.
const MOST_OF_MEMBER = 60_000;

const ofErased = (env: Environment) => asSystem(env, 'an erasure reaches every session of the member');

export interface SessionFilters {
  instructor_id?: string | undefined;
  member_id?: string | undefined;
  status?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Whose sessions: a member's, or all that an account sees, a school those with its instructors. */
type Whose = { memberId: string } | { readers: string };

interface SessionQuery extends SessionFilters {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

type SessionEvent =
  | typeof sessionUpdated
  | typeof sessionRescheduled
  | typeof sessionCancelled
  | typeof sessionCompleted
  | typeof sessionAttendanceRecorded;

const planContext = (env: Environment, { cause }: SessionPlan): RequestContext =>
  makeRequestContext({
    requestId: cause.requestId ?? '',
    idempotencyKey: cause.idempotencyKey,
    traceparent: cause.traceparent ?? null,
    deadline: new Deadline(10_000),
    principal: { accountId: cause.accountId, kind: 'family', env, keyId: cause.actor, scopes: [] },
  });

/** Memory of sessions. */
@Injectable()
export class SessionsRepository extends AggregateRepository<SessionDocument> {
  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly texts: SessionTexts,
    migrations: DataMigrations,
  ) {
    super(databases.collection('sessions', sessionSchema), relay);
    migrations.register({
      name: '0001-sessions-with-encrypted-texts',
      migrate: (env, after) => this.sealStored(env, after),
    });
  }

  protected override opened(env: Environment, stored: SessionDocument[]): Promise<SessionDocument[]> {
    return Promise.all(stored.map((session) => this.texts.open(env, session)));
  }

  protected override sealed<F extends Partial<SessionDocument>>(
    env: Environment,
    fields: F,
    of: SessionDocument,
  ): Promise<F> {
    return this.texts.seal(env, fields, of);
  }

  protected override openedAnswer(env: Environment, done: DoneOp, of: SessionDocument): Promise<unknown> {
    return this.texts.openAnswer(env, done, of);
  }

  /** Makes the sessions that a confirmed claim's plan names; those that exist stay as they are. */
  async insertPlanned(env: Environment, stored: SessionPlan, claimId: string): Promise<SessionDocument[]> {
    const plan = await this.texts.openPlan(env, stored);
    return this.createAll(planContext(env, plan), sessionsOf(plan, claimId), [
      { type: sessionCreated, object: toSessionObject },
    ]);
  }

  /** For the service's own work, whoever the sessions belong to. */
  findByIds(env: Environment, ids: string[]): Promise<SessionDocument[]> {
    return this.findMany(asSystem(env, 'the claim names its sessions'), { _id: { $in: ids } }, { start: 1, _id: 1 });
  }

  /** All sessions of a booking, whoever may see them. */
  findMade(env: Environment, bookingId: string): Promise<SessionDocument[]> {
    return this.findMany(asSystem(env, 'the booking asks for its own'), { bookingId }, { start: 1, _id: 1 });
  }

  /** Which claims these sessions have, or are about to get or to let go. */
  findOwnership(env: Environment, ids: string[]): Promise<Ownership[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const fields = ['claimId', 'drop', 'move', 'status'] as const;
    const scope = asSystem(env, 'the claim names its sessions');
    return this.findPicked(scope, { _id: { $in: ids } }, fields, { limit: ids.length });
  }

  /** Throws `resource_not_found` when the caller sees no such session. */
  async getVisible(context: RequestContext, id: string): Promise<SessionDocument> {
    const session = await this.lookUp(context.principal, id);
    if (!session) throw new AppError('resource_not_found');
    return session;
  }

  listVisible(
    context: RequestContext,
    list: string,
    { limit, offset, cursor, ...filters }: SessionQuery,
  ): Promise<Page<SessionDocument>> {
    const { accountId, env } = context.principal;
    const bound = { list, accountId, env, filters: { ...filters } };
    return this.page(context.principal, toFilter(filters), {
      order: { ascendingBy: 'start' },
      request: { limit, offset, cursor },
      cursors: this.cursors,
      bound,
    });
  }

  findOfBookings(context: RequestContext, bookingIds: string[]): Promise<SessionDocument[]> {
    return this.findMany(context.principal, { bookingId: { $in: bookingIds } }, { start: 1, _id: 1 }, 60_000);
  }

  /** Scheduled sessions that nobody has completed in time. */
  findUnfinished(env: Environment, before: Date, limit: number): Promise<SessionDocument[]> {
    return this.findMany(
      asSystem(env, 'completion by the service itself'),
      { completeAt: { $lte: before } },
      { completeAt: 1 },
      limit,
    );
  }

  /** Puts off the completion of a session that cannot be completed yet, unless that has changed since. */
  async postponeCompletion(env: Environment, { _id, completeAt }: SessionDocument, until: Date): Promise<void> {
    const scope = asSystem(env, 'completion by the service itself');
    await this.update(scope, { _id, completeAt }, { $set: { completeAt: until } });
  }

  /** Puts off the clean-up of a session that cannot be cleaned up yet, unless that has changed since. */
  async postponeCleanUp(env: Environment, { _id, dueAt }: SessionDocument, delayMs: number): Promise<void> {
    await this.update(
      asSystem(env, 'recovery'),
      { _id, dueAt },
      { $set: { dueAt: this.databases.clock.inMs(delayMs) } },
    );
  }

  findDue(env: Environment, limit: number): Promise<SessionDocument[]> {
    return this.findMany(
      asSystem(env, 'recovery'),
      { dueAt: { $lt: this.databases.clock.now() } },
      { dueAt: 1 },
      limit,
    );
  }

  /**
   * Decides on a session the caller sees and writes it with one event of the given type, the version counted up.
   * Null from `decide` leaves it as it is.
   */
  async change(
    context: RequestContext,
    id: string,
    event: SessionEvent,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
  ): Promise<Changed<SessionDocument>> {
    const changed = await this.mutate(context.principal, id, context, (now) => {
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

  /** Changes what only the service itself sees: moves and clean-up. Null when `decide` finds nothing to do. */
  async changeInwardly(
    context: RequestContext,
    id: string,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
  ): Promise<SessionDocument | null> {
    const quiet = { ...context, opId: null };
    const scope = asSystem(context.principal.env, 'the caller was checked when the session was read');
    let changed = false;
    const result = await this.mutate(scope, id, quiet, (now) => {
      const set = decide(now);
      changed = set !== null;
      return set && { set, unseen: true };
    });
    return changed && result ? result.document : null;
  }

  /** Scheduled sessions of a member, or that an account sees, that have not begun at `now`; the next first. */
  async findIdsToCome(env: Environment, whose: Whose, now: Date, limit = MOST_OF_MEMBER): Promise<string[]> {
    const toCome = { ...whose, status: 'scheduled', start: { $gt: now } };
    return (await this.findPicked(ofErased(env), toCome, [], { sort: { start: 1 }, limit })).map(({ _id }) => _id);
  }

  /** The members that an account has or had sessions for. */
  async findMembersOf(env: Environment, accountId: string): Promise<string[]> {
    const own = { readers: accountId, accountId };
    const found = await this.findPicked<'memberId'>(ofErased(env), own, ['memberId'], { limit: MOST_OF_MEMBER });
    return [...new Set(found.map(({ memberId }) => memberId))];
  }

  /** Sessions of a member, and of all bookings it took part in, that keep something written by people. */
  async findIdsWithTexts(env: Environment, memberId: string): Promise<string[]> {
    const own = await this.findPicked<'bookingId'>(ofErased(env), { memberId }, ['bookingId'], {
      limit: MOST_OF_MEMBER,
    });
    const bookings = [...new Set(own.flatMap(({ bookingId }) => bookingId ?? []))];
    const [alone, together] = [{ memberId }, { bookingId: { $in: bookings } }];
    return [...new Set([...(await this.findIdsWritten(env, alone)), ...(await this.findIdsWritten(env, together))])];
  }

  /** Those of these sessions that keep something written by people. */
  async findIdsWritten(env: Environment, whose: Filter, limit = MOST_OF_MEMBER): Promise<string[]> {
    return (await this.findPicked(ofErased(env), { ...whose, ...written() }, [], { limit })).map(({ _id }) => _id);
  }

  /** Takes out of a session what people wrote, and the answers kept of its changes. Nobody is told. */
  async clearTexts(context: RequestContext, id: string): Promise<void> {
    await this.mutate(ofErased(context.principal.env), id, { ...context, opId: null }, ({ cancellation }) => ({
      set: { notes: null, cancellation: cancellation && { ...cancellation, reason: null } },
      unseen: true,
      forgetsAnswers: true,
    }));
  }

  /** When recovery should look after a clean-up that a crash may leave. */
  cleanUpAt(): Date {
    return this.databases.clock.inMs(CLEAN_UP_MS);
  }

  /** A move that starts now and is believed alive for `leaseMs`. */
  newMove(gen: number, leaseMs: number): SessionMove {
    return { gen, until: this.databases.clock.inMs(leaseMs) };
  }

  /** Whether a move of this session is under way. */
  isMoving({ move }: SessionDocument): boolean {
    return move !== null && move.until.getTime() > this.databases.clock.now().getTime();
  }
}

function written(): Filter {
  const set = mongoose.trusted({ $ne: null });
  return { $or: [{ notes: set }, { 'cancellation.reason': set }, { 'ops.0': mongoose.trusted({ $exists: true }) }] };
}

function toFilter({ instructor_id, member_id, status, date_from, date_to }: SessionFilters): Filter {
  const start = {
    ...(date_from === undefined ? {} : { $gte: new Date(date_from) }),
    ...(date_to === undefined ? {} : { $lt: new Date(date_to) }),
  };
  return {
    ...(instructor_id === undefined ? {} : { instructorId: instructor_id }),
    ...(member_id === undefined ? {} : { memberId: member_id }),
    ...(status === undefined ? {} : { status }),
    ...(Object.keys(start).length === 0 ? {} : { start }),
  };
}

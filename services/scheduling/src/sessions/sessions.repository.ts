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
import { type Call, makeCall } from '@swim/messaging';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type Filter,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec, Deadline } from '@swim/platform';
import mongoose from 'mongoose';
import { toSession, toSessionObject } from './session.mapper.js';
import { previousOf, type SessionPlan, sessionsOf } from './session.rules.js';
import { type SessionDocument, type SessionMove, sessionSchema } from './session.schema.js';

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

interface SessionQuery extends SessionFilters {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

type ToldAs =
  | typeof sessionUpdated
  | typeof sessionRescheduled
  | typeof sessionCancelled
  | typeof sessionCompleted
  | typeof sessionAttendanceRecorded;

const planCall = (env: Environment, { cause }: SessionPlan): Call =>
  makeCall({
    requestId: cause.requestId ?? '',
    idempotencyKey: cause.idempotencyKey,
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
  ) {
    super(databases.collection('sessions', sessionSchema), relay);
  }

  /** Makes the sessions that a confirmed claim's plan names; those that exist stay as they are. */
  insertPlanned(env: Environment, plan: SessionPlan, claimId: string): Promise<SessionDocument[]> {
    return this.createAll(planCall(env, plan), sessionsOf(plan, claimId), [
      { type: sessionCreated, object: toSessionObject },
    ]);
  }

  /** For the service's own work, whoever the sessions belong to. */
  findByIds(env: Environment, ids: string[]): Promise<SessionDocument[]> {
    return this.findMany(asSystem(env, 'the claim names its sessions'), { _id: { $in: ids } }, { start: 1, _id: 1 });
  }

  /** Throws `resource_not_found` when the caller sees no such session. */
  async getVisible(call: Call, id: string): Promise<SessionDocument> {
    const session = await this.lookUp(call.principal, id);
    if (!session) throw new AppError('resource_not_found');
    return session;
  }

  listVisible(
    call: Call,
    list: string,
    { limit, offset, cursor, ...filters }: SessionQuery,
  ): Promise<Page<SessionDocument>> {
    const { accountId, env } = call.principal;
    const bound = { list, accountId, env, filters: { ...filters } };
    return this.page(call.principal, toFilter(filters), {
      order: { ascendingBy: 'start' },
      asked: { limit, offset, cursor },
      cursors: this.cursors,
      bound,
    });
  }

  findOfBookings(call: Call, bookingIds: string[]): Promise<SessionDocument[]> {
    return this.findMany(call.principal, { bookingId: { $in: bookingIds } }, { start: 1, _id: 1 }, 60_000);
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
    call: Call,
    id: string,
    told: ToldAs,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
  ): Promise<Changed<SessionDocument>> {
    const changed = await this.mutate(call.principal, id, call, (now) => {
      const set = decide(now);
      if (!set) return null;
      const version = now.version + 1;
      const previous = previousOf(toSession(now), toSession({ ...now, ...set, version }));
      return {
        set: { ...set, version },
        events: [{ type: told, object: toSessionObject, previous }],
        answer: toSession,
      };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Changes what only the service itself sees: moves and clean-up. Null when `decide` finds nothing to do. */
  async changeInwardly(
    call: Call,
    id: string,
    decide: (now: SessionDocument) => Decision<SessionDocument>['set'] | null,
  ): Promise<SessionDocument | null> {
    const quiet = { ...call, opId: null };
    const scope = asSystem(call.principal.env, 'the caller was checked when the session was read');
    let changed = false;
    const result = await this.mutate(scope, id, quiet, (now) => {
      const set = decide(now);
      changed = set !== null;
      return set && { set, unseen: true };
    });
    return changed && result ? result.document : null;
  }

  /** Scheduled sessions of a member that have not begun at `now`. */
  async findIdsToCome(env: Environment, memberId: string, now: Date): Promise<string[]> {
    const toCome = { memberId, status: 'scheduled', start: { $gt: now } };
    return (await this.findPicked(ofErased(env), toCome, [], { limit: MOST_OF_MEMBER })).map(({ _id }) => _id);
  }

  /** Sessions of a member, and of all bookings it took part in, that keep something written by people. */
  async findIdsWithTexts(env: Environment, memberId: string): Promise<string[]> {
    const own = await this.findPicked<'bookingId'>(ofErased(env), { memberId }, ['bookingId'], {
      limit: MOST_OF_MEMBER,
    });
    const bookings = [...new Set(own.flatMap(({ bookingId }) => bookingId ?? []))];
    const told = mongoose.trusted({ $ne: null });
    const written = {
      $or: [{ notes: told }, { 'cancellation.reason': told }, { 'ops.0': mongoose.trusted({ $exists: true }) }],
    };
    const pick = async (whose: Filter) =>
      (await this.findPicked(ofErased(env), { ...whose, ...written }, [], { limit: MOST_OF_MEMBER })).map(
        ({ _id }) => _id,
      );
    const [alone, together] = [await pick({ memberId }), await pick({ bookingId: { $in: bookings } })];
    return [...new Set([...alone, ...together])];
  }

  /** Takes out of a session what people wrote, and the answers kept of its changes. Nobody is told. */
  async clearTexts(call: Call, id: string): Promise<void> {
    await this.mutate(ofErased(call.principal.env), id, { ...call, opId: null }, ({ cancellation }) => ({
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

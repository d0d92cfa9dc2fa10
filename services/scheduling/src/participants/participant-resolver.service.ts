import { Injectable } from '@nestjs/common';
import {
  type CalendarDescription,
  describeCalendar,
  describeParticipants,
  type Location,
  MOST_NAMED_INSTRUCTORS,
  type Participants,
  type PlacedMember,
  type Pool,
  participantsRejection,
  type TeachingRules,
  teachingRulesOf,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, type RequestContext, systemContext } from '@swim/platform';
import { type PoolsOfInstructor, UNCOUNTED_LANES } from '../pools/pool.rules.js';
import { PoolsService } from '../pools/pools.service.js';
import type { PoolLanes } from '../slots/slots.service.js';

/** An instructor with the policies of the school. */
export interface KnownInstructor {
  instructor: NonNullable<Participants['instructor']>;
  policies: Participants['policies'];
  rules: TeachingRules;
}

/** The same, with members of one account that may meet. */
export interface KnownParticipants extends KnownInstructor {
  accountId: string;
  members: Participants['members'];
}

/** Where a session takes place, and the lanes of the pool if it is one. */
export interface Place {
  location: Location | null;
  pool: PoolLanes | null;
}

/** Requests instructors and members from people, and validates who may take part in a session and where. Stores nothing. */
@Injectable()
export class ParticipantResolverService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pools: PoolsService,
  ) {}

  /** An instructor and members of one account that may meet; rejects as `participantsRejection` does. */
  async resolve(
    context: RequestContext,
    { instructor_id, member_ids }: { instructor_id: string; member_ids: string[] },
    { inLessons = false }: { inLessons?: boolean } = {},
  ): Promise<KnownParticipants> {
    const participants = await this.rpc.call(
      describeParticipants,
      { instructorId: instructor_id, memberIds: member_ids, ...(inLessons ? { withAges: true } : {}) },
      context,
    );
    const rejection = participantsRejection(participants, {
      memberIds: member_ids,
      makerId: context.principal.accountId,
      inLessons,
    });
    if (rejection) {
      const { reason, ...extras } = rejection;
      throw new AppError(reason, extras);
    }
    return knownTogether(participants);
  }

  /** As `resolve`, of members who are to take places in lessons, the first of which has this instructor. */
  async resolveForLessons(
    context: RequestContext,
    requested: { instructor_id: string; member_ids: string[] },
  ): Promise<KnownParticipants & { placed: PlacedMember[] }> {
    const known = await this.resolve(context, requested, { inLessons: true });
    const placed = known.members.map((member) => {
      const { id, level, dateOfBirth } = member!;
      return { id, level, dateOfBirth: dateOfBirth! };
    });
    return { ...known, placed };
  }

  /** As `resolve`, of one member: rejects at the field `member_id`. */
  async resolveOne(
    context: RequestContext,
    { instructor_id, member_id }: { instructor_id: string; member_id: string },
  ): Promise<KnownParticipants> {
    try {
      return await this.resolve(context, { instructor_id, member_ids: [member_id] });
    } catch (error) {
      if (error instanceof AppError && error.details.field?.startsWith('member_ids'))
        throw new AppError(error.reason, { field: 'member_id' });
      throw error;
    }
  }

  /** An instructor who takes sessions; rejects at the field `instructor_id`. */
  async instructor(context: RequestContext, instructorId: string): Promise<KnownInstructor> {
    return known(await this.rpc.call(describeParticipants, { instructorId, memberIds: [] }, context));
  }

  /** An instructor in any status, null when there is none, and the clock of the caller and the school. */
  findInstructor(
    context: RequestContext,
    instructorId: string,
  ): Promise<Pick<Participants, 'instructor' | 'clockOffsetMs'>> {
    return this.rpc.call(describeParticipants, { instructorId, memberIds: [] }, context);
  }

  /** The account of a member that this account may use; null for any other. */
  async findMemberAccount(context: RequestContext, memberId: string): Promise<string | null> {
    const input = { instructorId: null, memberIds: [memberId] };
    return (await this.rpc.call(describeParticipants, input, context)).members[0]?.accountId ?? null;
  }

  /** Language, zone and names of instructors for a calendar of this account; null once the account is being erased. */
  async describeCalendar(accountId: string, instructorIds: Iterable<string>): Promise<CalendarDescription | null> {
    const ids = [...new Set(instructorIds)].slice(0, MOST_NAMED_INSTRUCTORS);
    return this.rpc.call(describeCalendar, { accountId, instructorIds: ids }, systemContext(accountId));
  }

  /** How far the caller's clock is ahead of real time, in ms; 0 in live, without a request. */
  async clockOffset(context: RequestContext): Promise<number> {
    if (context.principal.env === 'live') return 0;
    const caller = { instructorId: null, memberIds: [] };
    return (await this.rpc.call(describeParticipants, caller, context)).clockOffsetMs ?? 0;
  }

  /** The policies of an instructor's school; null when the instructor no longer exists. */
  async findPolicies(context: RequestContext, instructorId: string): Promise<Participants['policies']> {
    return (await this.rpc.call(describeParticipants, { instructorId, memberIds: [] }, context)).policies;
  }

  /**
   * The location of the session: the requested one, if the pool belongs to the school, otherwise the first of the instructor's
   * pools that exists and belongs to the school.
   */
  async placeOf(context: RequestContext, requested: Location | null, rules: TeachingRules): Promise<Place> {
    const poolId = requested ? requested.pool_id : rules.defaultPoolId;
    if (!poolId) return { location: requested, pool: null };
    const named = await this.pools.findOf(context, poolId, rules.schoolId);
    if (!named && requested) throw new AppError('not_found', { field: 'location.pool_id' });
    const pool = named ?? (await this.findNextPool(context, rules));
    if (!pool) return { location: null, pool: null };
    return {
      location: { type: 'pool', pool_id: pool.id },
      pool: { id: pool.id, lanes: pool.lanes ?? UNCOUNTED_LANES },
    };
  }

  /** The instructor's default pool when the first is none: the rules of a booking's claim name only the first. */
  private async findNextPool(context: RequestContext, rules: TeachingRules): Promise<Pool | null> {
    const { instructor } = await this.findInstructor(context, rules.instructorId);
    return instructor && this.pools.findDefault(poolsOf(instructor));
  }
}

/** The pools of an instructor. */
export const poolsOf = ({ schoolId, poolIds }: NonNullable<Participants['instructor']>): PoolsOfInstructor => ({
  schoolId,
  poolIds,
});

function known(participants: Participants): KnownInstructor {
  const { instructor, policies } = participants;
  if (!instructor) throw new AppError('not_found', { field: 'instructor_id' });
  if (instructor.status !== 'active') throw new AppError('inactive_instructor', { field: 'instructor_id' });
  return { instructor, policies, rules: teachingRulesOf(instructor, participants) };
}

/** Participants that are not rejected. */
function knownTogether(participants: Participants): KnownParticipants {
  const { policies, members } = participants;
  const instructor = participants.instructor!;
  const rules = teachingRulesOf(instructor, participants);
  return { instructor, policies, rules, members, accountId: members[0]!.accountId };
}

import { Injectable } from '@nestjs/common';
import {
  type claimBooking,
  type createSession,
  describeParty,
  type Location,
  type ParsedOf,
  type Party,
  partyRefusal,
  priceCents,
  type TeachingRules,
  teachingRulesOf,
} from '@swim/contracts';
import { type Call, causeOf, RpcClient } from '@swim/messaging';
import { AppError, Clock } from '@swim/platform';
import type { PoolLanes, Slot, SlotsRequest } from '../calendar/slots.service.js';
import { PoolsService } from '../pools/pools.service.js';
import { bookingPlan, type SessionPlan } from './session.rules.js';

/** An instructor who exists, with the policies of the school. */
export interface KnownInstructor {
  instructor: NonNullable<Party['instructor']>;
  policies: Party['policies'];
  rules: TeachingRules;
}

/** Where a session takes place, and the lanes of the pool if it is one. */
export interface Place {
  location: Location | null;
  pool: PoolLanes | null;
}

// Lanes that nobody counts are taken all the same: they may be counted from tomorrow on, and a pool in use is not removed.
const UNCOUNTED_LANES = 1_000_000;

/** Asks people who instructors and members are, and checks what a session is to be. Nothing of it is kept. */
@Injectable()
export class PlanningService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pools: PoolsService,
    private readonly clock: Clock,
  ) {}

  nowMs(): number {
    return this.clock.now().getTime();
  }

  /** The claim and the plan of one session outside a booking; refuses what the rules forbid. */
  async planSingle(
    input: ParsedOf<typeof createSession>,
    id: string,
    call: Call,
  ): Promise<SlotsRequest & { single: SessionPlan }> {
    const startMs = this.inFuture(Date.parse(input.date));
    const { accountId, instructor, policies, rules } = await this.partyOfOne(call, input);
    if (policies?.requirePrepayment) throw new AppError('prepayment_required', { field: 'instructor_id' });
    const endMs = startMs + input.duration_minutes * 60_000;
    const memberId = input.member_id;
    const price = priceCents(instructor.hourlyRateCents, input.duration_minutes);
    const { location, pool } = await this.placeOf(call, input.location ?? null, rules);
    const single: SessionPlan = {
      kind: 'sessions',
      accountId,
      schoolId: rules.schoolId,
      bookingId: null,
      instructorId: rules.instructorId,
      currency: instructor.currency,
      location,
      notes: input.notes ?? null,
      cause: causeOf(call),
      sessions: [{ id, memberId, startMs, endMs, priceCents: price }],
    };
    const slots = [{ startMs, endMs, sessions: [{ id, memberId }] }];
    return { key: `${id}#0`, rules, pool, slots, skip: false, nowMs: this.nowMs(), plan: () => single, single };
  }

  /** An instructor and members of one account who can meet; refuses what `partyRefusal` does. */
  async party(
    call: Call,
    { instructor_id, member_ids }: { instructor_id: string; member_ids: string[] },
  ): Promise<KnownInstructor & { accountId: string }> {
    const party = await this.rpc.call(describeParty, { instructorId: instructor_id, memberIds: member_ids }, call);
    const refusal = partyRefusal(party, { memberIds: member_ids, makerId: call.principal.accountId });
    if (refusal) throw new AppError(refusal.reason, refusal.field === undefined ? {} : { field: refusal.field });
    return { ...known(party), accountId: party.members[0]!.accountId };
  }

  /** As `party`, of one member: refuses at the field `member_id`. */
  async partyOfOne(
    call: Call,
    { instructor_id, member_id }: { instructor_id: string; member_id: string },
  ): Promise<KnownInstructor & { accountId: string }> {
    try {
      return await this.party(call, { instructor_id, member_ids: [member_id] });
    } catch (error) {
      if (error instanceof AppError && error.details.field?.startsWith('member_ids'))
        throw new AppError(error.reason, { field: 'member_id' });
      throw error;
    }
  }

  /** An instructor who takes sessions; refuses at the field `instructor_id`. */
  async instructor(call: Call, instructorId: string): Promise<KnownInstructor> {
    return known(await this.rpc.call(describeParty, { instructorId, memberIds: [] }, call));
  }

  /** An instructor, whatever the status; null when there is none. */
  async findInstructor(call: Call, instructorId: string): Promise<Party['instructor']> {
    return (await this.rpc.call(describeParty, { instructorId, memberIds: [] }, call)).instructor;
  }

  /** What becomes of these slots once a booking has them. */
  planBooking(
    input: ParsedOf<typeof claimBooking>,
    { location, slots }: { location: Location | null; slots: Slot[] },
    call: Call,
  ): SessionPlan {
    return bookingPlan(input, location, slots, causeOf(call));
  }

  /** The policies that govern an instructor's sessions; null when the instructor is no more. */
  async findPolicies(call: Call, instructorId: string): Promise<Party['policies']> {
    return (await this.rpc.call(describeParty, { instructorId, memberIds: [] }, call)).policies;
  }

  /** Where the session takes place: as asked, if the pool is the school's, or else in the instructor's first pool. */
  async placeOf(call: Call, asked: Location | null, rules: TeachingRules): Promise<Place> {
    const poolId = asked ? asked.pool_id : rules.defaultPoolId;
    if (!poolId) return { location: asked, pool: null };
    const pool = await this.pools.findOf(call, poolId, rules.schoolId);
    if (!pool && asked) throw new AppError('not_found', { field: 'location.pool_id' });
    if (!pool) return { location: null, pool: null };
    return {
      location: { type: 'pool', pool_id: pool.id },
      pool: { id: pool.id, lanes: pool.lanes ?? UNCOUNTED_LANES },
    };
  }

  /** Refuses a start that is not in the future. */
  inFuture(startMs: number): number {
    if (startMs <= this.nowMs()) throw new AppError('in_past', { field: 'date' });
    return startMs;
  }
}

function known({ instructor, policies }: Party): KnownInstructor {
  if (!instructor) throw new AppError('not_found', { field: 'instructor_id' });
  if (instructor.status !== 'active') throw new AppError('inactive_instructor', { field: 'instructor_id' });
  return { instructor, policies, rules: teachingRulesOf(instructor, policies) };
}

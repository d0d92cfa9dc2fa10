import { Injectable } from '@nestjs/common';
import type { DateConflict, Environment, TeachingRules } from '@swim/contracts';
import { PoolsService } from '../pools/pools.service.js';
import { isOffered, occupiedSpan } from './availability.rules.js';
import { CalendarService, type ClaimRequest } from './calendar.service.js';
import type { CededTime, Claim, ClaimElement, SkippedDate } from './claim.schema.js';

/** One lesson's time and the sessions, one for each member, that it is for. */
export interface Slot {
  startMs: number;
  endMs: number;
  sessions: { id: string; memberId: string }[];
}

/** A pool and how many groups may be in it at once. */
export interface PoolLanes {
  id: string;
  lanes: number;
}

/** Slots to be claimed under one key. */
export interface SlotsRequest {
  key: string;
  rules: TeachingRules;
  /** The pool whose lanes are to be taken; null outside pools. */
  pool: PoolLanes | null;
  slots: Slot[];
  /** Book the free ones when some are not. */
  skip: boolean;
  nowMs: number;
  /** Ms for which to hold; absent: confirmed at once. */
  holdMs?: number;
  /** Time that a claim cedes to this one. */
  ceded?: CededTime;
  /** What is to be made of the slots that were claimed. */
  plan: (slots: Slot[]) => unknown;
}

/** A slot that cannot be had, and why. */
export interface RefusedSlot {
  slot: Slot;
  reason: DateConflict['reason'];
}

/** The claim with its slots and those left out; or, when nothing was claimed, what stood in the way. */
export type ClaimedSlots =
  | { claim: Claim; slots: Slot[]; refused: RefusedSlot[] }
  | { claim: null; refused: RefusedSlot[] };

/** Turns lessons into claims: published hours, buffers, instructor, members and lanes. */
@Injectable()
export class SlotsService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly pools: PoolsService,
  ) {}

  /** Claims all slots, or with `skip` those that can be had; otherwise says which stand in the way. */
  async claim(env: Environment, request: SlotsRequest): Promise<ClaimedSlots> {
    const refused = notOffered(request);
    let slots = without(request.slots, refused);
    for (;;) {
      if (slots.length === 0 || (refused.length > 0 && !request.skip)) {
        return {
          claim: null,
          refused: request.skip ? refused : [...refused, ...(await this.check(env, request, slots))],
        };
      }
      const { key, holdMs, ceded } = request;
      const elements = slots.flatMap((slot) => elementsOf(slot, request));
      const taken = await this.calendar.take(env, {
        key,
        elements,
        plan: request.plan(slots),
        skipped: skippedOf(refused),
        ...this.groundOf(env, request),
        ceded,
        ...(holdMs === undefined ? {} : { holdMs }),
      });
      if ('claim' in taken) return { claim: taken.claim, slots, refused };
      refused.push(...refusedSlots(slots, taken.taken, request));
      slots = without(slots, refused);
    }
  }

  /** Which of the slots could not be claimed now; keeps nothing. */
  async preview(env: Environment, request: SlotsRequest): Promise<RefusedSlot[]> {
    const refused = notOffered(request);
    return [...refused, ...(await this.check(env, request, without(request.slots, refused)))];
  }

  // Between the look at the pool and the claim somebody may have begun to remove it.
  private groundOf(env: Environment, { pool }: SlotsRequest): Pick<ClaimRequest, 'requireGround'> {
    return pool ? { requireGround: () => this.pools.requireOpen(env, pool.id) } : {};
  }

  private async check(
    env: Environment,
    request: Pick<SlotsRequest, 'rules' | 'pool'>,
    slots: Slot[],
  ): Promise<RefusedSlot[]> {
    const taken = await this.calendar.check(
      env,
      slots.flatMap((slot) => elementsOf(slot, request)),
    );
    return refusedSlots(slots, taken, request);
  }
}

function elementsOf(slot: Slot, { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>): ClaimElement[] {
  const holders = slot.sessions.map(({ id }) => id);
  return [
    { resource: rules.instructorId, ...occupiedSpan(rules.schedule, slot.startMs, slot.endMs), holders },
    ...slot.sessions.map(({ id, memberId }) => ({
      resource: memberId,
      startMs: slot.startMs,
      endMs: slot.endMs,
      holders: [id],
    })),
    ...(pool ? [{ resource: pool.id, startMs: slot.startMs, endMs: slot.endMs, holders, lanes: pool.lanes }] : []),
  ];
}

function notOffered({ rules, slots, nowMs }: SlotsRequest): RefusedSlot[] {
  if (!rules.enforceAvailability) return [];
  const offered = (slot: Slot) =>
    isOffered({
      schedule: rules.schedule,
      timezone: rules.timezone,
      startUtc: slot.startMs,
      endUtc: slot.endMs,
      nowUtc: nowMs,
    });
  return slots.filter((slot) => !offered(slot)).map((slot) => ({ slot, reason: 'outside_availability' }));
}

function refusedSlots(
  slots: Slot[],
  taken: ClaimElement[],
  { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>,
): RefusedSlot[] {
  return slots.flatMap((slot) => {
    const own = taken.filter(({ holders }) => slot.sessions.some(({ id }) => holders.includes(id)));
    if (own.length === 0) return [];
    const resources = new Set(own.map(({ resource }) => resource));
    return [{ slot, reason: reasonOf(resources, rules.instructorId, pool?.id) }];
  });
}

/** Left-out slots as a booking tells of them. */
export const skippedOf = (refused: RefusedSlot[]): SkippedDate[] =>
  refused.map(({ slot, reason }) => ({ date: new Date(slot.startMs).toISOString(), reason }));

function reasonOf(resources: Set<string>, instructorId: string, poolId: string | undefined): RefusedSlot['reason'] {
  if (resources.has(instructorId)) return 'instructor_busy';
  return poolId !== undefined && resources.size === 1 && resources.has(poolId) ? 'pool_full' : 'member_busy';
}

const without = (slots: Slot[], refused: RefusedSlot[]): Slot[] =>
  slots.filter((slot) => !refused.some((each) => each.slot === slot));

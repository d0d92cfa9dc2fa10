import type { DateConflict, TeachingRules } from '@swim/contracts';
import { isOffered, occupiedSpan } from '../calendar/availability.rules.js';
import type { Claim, ClaimElement, ExcludedClaim, Fence, SkippedDate } from '../calendar/calendar.service.js';

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
  /** The run of the request that claims: a `RequestContext` is one. */
  fence: Fence;
  /** Ms for which to hold; absent: confirmed at once. */
  holdMs?: number;
  /** Time that a claim cedes to this one. */
  excluded?: ExcludedClaim;
  /** What is to be made of the slots that were claimed. */
  plan: (slots: Slot[]) => unknown;
}

/** A slot that cannot be had, and why. */
export interface RejectedSlot {
  slot: Slot;
  reason: DateConflict['reason'];
}

/** The claim with its slots and those left out; or, when nothing was claimed, what stood in the way. */
export type ClaimedSlots =
  | { claim: Claim; slots: Slot[]; rejected: RejectedSlot[] }
  | { claim: null; rejected: RejectedSlot[] };

/** What a slot takes of the calendar: the instructor with both buffers, each member, and a lane of the pool. */
export function elementsOf(slot: Slot, { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>): ClaimElement[] {
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

/** The slots outside published hours; none where the school does not enforce them. */
export function notOffered({ rules, slots, nowMs }: SlotsRequest): RejectedSlot[] {
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

/** The slots that have an element among those taken, each with its reason. */
export function rejectedSlots(
  slots: Slot[],
  taken: ClaimElement[],
  { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>,
): RejectedSlot[] {
  return slots.flatMap((slot) => {
    const own = taken.filter(({ holders }) => slot.sessions.some(({ id }) => holders.includes(id)));
    if (own.length === 0) return [];
    const resources = new Set(own.map(({ resource }) => resource));
    return [{ slot, reason: reasonOf(resources, rules.instructorId, pool?.id) }];
  });
}

/** Left-out slots as a booking tells of them. */
export const skippedOf = (rejected: RejectedSlot[]): SkippedDate[] =>
  rejected.map(({ slot, reason }) => ({ date: new Date(slot.startMs).toISOString(), reason }));

function reasonOf(resources: Set<string>, instructorId: string, poolId: string | undefined): RejectedSlot['reason'] {
  if (resources.has(instructorId)) return 'instructor_busy';
  return poolId !== undefined && resources.size === 1 && resources.has(poolId) ? 'pool_full' : 'member_busy';
}

/** The slots but those rejected. */
export const without = (slots: Slot[], rejected: RejectedSlot[]): Slot[] =>
  slots.filter((slot) => !rejected.some((each) => each.slot === slot));

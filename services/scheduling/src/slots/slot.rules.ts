import type { DateConflict, TeachingRules } from '@swim/contracts';
import type { Claim, ClaimElement, ExcludedClaim, Fence, SkippedDate } from '../calendar/calendar.service.js';
import { overlapping } from '../calendar/claim.rules.js';
import { type OfferRejection, occupiedSpan, offerRejection } from '../calendar/hours/availability.rules.js';

/** The time of one lesson, and its sessions, one for each member. */
export interface Slot {
  startMs: number;
  endMs: number;
  sessions: { id: string; memberId: string }[];
}

/** A pool and how many groups may use it at once. */
export interface PoolLanes {
  id: string;
  lanes: number;
}

/** Slots to be claimed under one key. */
export interface SlotsRequest {
  key: string;
  rules: TeachingRules;
  /** The pool whose lanes are claimed; null outside pools. */
  pool: PoolLanes | null;
  slots: Slot[];
  /** Skips slots that are not free instead of rejecting the request. */
  skip: boolean;
  nowMs: number;
  /** The lesson keeps its time and its instructor, which were offered when it was booked. */
  keepsTime?: boolean;
  /** The run of the request; a `RequestContext` is one. */
  fence: Fence;
  /** How long to hold the slots, in ms; absent: confirmed at once. */
  holdMs?: number;
  /** Excluded claim: its time does not block this one. */
  excluded?: ExcludedClaim;
  /** The plan to store with the claimed slots. */
  plan: (slots: Slot[]) => unknown;
}

/** A slot that cannot be claimed, and why. */
export interface RejectedSlot {
  slot: Slot;
  reason: DateConflict['reason'];
  /** The first member who is busy; only with `member_busy`. */
  memberId?: string;
  /** Why the time is not offered; only with `outside_availability`. */
  offer?: OfferRejection;
}

/** The claim with its slots and the skipped ones; or, when nothing was claimed, the rejected slots. */
export type ClaimedSlots =
  | { claim: Claim; slots: Slot[]; rejected: RejectedSlot[] }
  | { claim: null; rejected: RejectedSlot[] };

/** The elements of a slot: the instructor with both buffers, each member, and a lane of the pool. */
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

/** The slots outside published hours; none where the school does not enforce them, or the lesson keeps its time. */
export function notOffered({ rules, slots, nowMs, keepsTime }: SlotsRequest): RejectedSlot[] {
  if (!rules.enforceAvailability || keepsTime) return [];
  const { schedule, timezone } = rules;
  return slots.flatMap((slot): RejectedSlot[] => {
    const { startMs: startUtc, endMs: endUtc } = slot;
    const offer = offerRejection({ schedule, timezone, startUtc, endUtc, nowUtc: nowMs });
    return offer ? [{ slot, reason: 'outside_availability', offer }] : [];
  });
}

/** The slots that have an element among the taken ones, each with its reason. */
export function rejectedSlots(
  slots: Slot[],
  taken: ClaimElement[],
  { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>,
): RejectedSlot[] {
  return slots.flatMap((slot) => {
    const own = taken.filter(({ holders }) => slot.sessions.some(({ id }) => holders.includes(id)));
    if (own.length === 0) return [];
    const resources = new Set(own.map(({ resource }) => resource));
    const reason = reasonOf(resources, rules.instructorId, pool?.id);
    const busy = slot.sessions.find(({ memberId }) => resources.has(memberId));
    return [{ slot, reason, ...(reason === 'member_busy' && busy ? { memberId: busy.memberId } : {}) }];
  });
}

/** Skipped slots in the form that a booking returns. */
export const skippedOf = (rejected: RejectedSlot[]): SkippedDate[] =>
  rejected.map(({ slot, reason }) => ({ date: new Date(slot.startMs).toISOString(), reason }));

function reasonOf(resources: Set<string>, instructorId: string, poolId: string | undefined): RejectedSlot['reason'] {
  if (resources.has(instructorId)) return 'instructor_busy';
  return poolId !== undefined && resources.size === 1 && resources.has(poolId) ? 'pool_full' : 'member_busy';
}

/** The slots of a request to claim together, and the others with their reasons, both in the order of the request. */
export interface KeptSlots {
  kept: Slot[];
  rejected: RejectedSlot[];
}

/**
 * Keeps each slot that is not blocked, by published hours or by claims of others, and that overlaps no slot kept before it. A
 * slot that is not kept rejects no other.
 */
export function keptSlots(
  { slots, rules, pool }: Pick<SlotsRequest, 'slots' | 'rules' | 'pool'>,
  blocked: RejectedSlot[],
): KeptSlots {
  const blocks = new Map(blocked.map((each) => [each.slot, each]));
  const kept: Slot[] = [];
  const taken: ClaimElement[] = [];
  const rejected = slots.flatMap((slot) => {
    const elements = elementsOf(slot, { rules, pool });
    const block = blocks.get(slot) ?? rejectedSlots([slot], overlapping(elements, taken), { rules, pool })[0];
    if (block) return [block];
    kept.push(slot);
    taken.push(...elements);
    return [];
  });
  return { kept, rejected };
}

import {
  type DateConflict,
  type ELIGIBILITY_RULES,
  type Location,
  privateLessonId,
  type TeachingRules,
} from '@swim/contracts';
import type {
  Claim,
  ClaimElement,
  ExcludedClaim,
  Fence,
  PlaceTerms,
  SkippedDate,
} from '../calendar/calendar.service.js';
import { overlapping, type TakenElement } from '../calendar/claim.rules.js';
import { type OfferRejection, occupiedSpan, offerRejection } from '../calendar/hours/availability.rules.js';

/** The time of one lesson, and the sessions that are made in it, one for each member. */
export interface Slot {
  startMs: number;
  endMs: number;
  sessions: { id: string; memberId: string }[];
  /** The lesson, where it is not the private one that these sessions make. */
  lessonId?: string;
  /** Set where the lesson exists and the sessions take places in it: it has its instructor and its lane already. */
  place?: PlaceTerms & { capacity: number; of?: { instructorId: string; location: Location | null } };
}

/** The lesson of these sessions. */
export const lessonIdOf = ({ lessonId, sessions }: Pick<Slot, 'lessonId' | 'sessions'>): string =>
  lessonId ?? privateLessonId(sessions.map(({ id }) => id));

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
  /** Slots that are rejected whatever the calendar says. */
  blocked?: RejectedSlot[];
  /** Throws when a lesson has changed since it was read; runs when a claim has failed that nothing blocks. */
  recheck?: () => Promise<void>;
  /** Whether a lesson had too few places left when it was read. */
  looksTaken?: boolean;
  /** Excluded claim: its time does not block this one. */
  excluded?: ExcludedClaim;
  /** The plan to store with the claimed slots. */
  plan: (slots: Slot[]) => unknown;
}

/** A slot that cannot be claimed, and why. */
export interface RejectedSlot {
  slot: Slot;
  reason: DateConflict['reason'];
  /** The first member who is busy, or does not fit. */
  memberId?: string;
  /** Why the time is not offered; only with `outside_availability`. */
  offer?: OfferRejection;
  /** Only with `closed`. */
  closedBy?: NonNullable<TakenElement['closedBy']>;
  /** The requirement of the lesson that the member does not meet; only with `not_eligible`. */
  rule?: (typeof ELIGIBILITY_RULES)[number];
}

/** The claim with its slots and the skipped ones; or, when nothing was claimed, the rejected slots. */
export type ClaimedSlots =
  | { claim: Claim; slots: Slot[]; rejected: RejectedSlot[] }
  | { claim: null; rejected: RejectedSlot[] };

/** The elements of a slot: each member; of a new lesson the instructor with both buffers, and a lane of the pool, else its places. */
export function elementsOf(slot: Slot, { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>): ClaimElement[] {
  const { startMs, endMs, sessions, place } = slot;
  const members = sessions.map(({ id, memberId }) => ({ resource: memberId, startMs, endMs, holder: id }));
  const holder = lessonIdOf(slot);
  if (place) {
    const { capacity: lanes, of: _, ...terms } = place;
    const places = sessions.map(({ id }) => ({ resource: holder, startMs, endMs, holder: id, lanes, place: terms }));
    return [...places, ...members];
  }
  return [
    {
      resource: rules.instructorId,
      ...occupiedSpan(rules.schedule, startMs, endMs),
      taught: { startMs, endMs },
      holder,
    },
    ...members,
    ...(pool ? [{ resource: pool.id, startMs, endMs, holder, lanes: pool.lanes }] : []),
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
  taken: TakenElement[],
  { rules, pool }: Pick<SlotsRequest, 'rules' | 'pool'>,
): RejectedSlot[] {
  return slots.flatMap((slot): RejectedSlot[] => {
    const holders = [lessonIdOf(slot), ...slot.sessions.map(({ id }) => id)];
    const own = taken.filter(({ holder }) => holders.includes(holder));
    if (own.length === 0) return [];
    const closedBy = own.find((element) => element.closedBy)?.closedBy;
    if (closedBy) return [{ slot, reason: 'closed', closedBy }];
    const resources = new Set(own.map(({ resource }) => resource));
    const reason =
      slot.place && resources.has(lessonIdOf(slot)) ? 'lesson_full' : reasonOf(resources, rules.instructorId, pool?.id);
    const busy = slot.sessions.find(({ memberId }) => resources.has(memberId));
    return [{ slot, reason, ...(reason === 'member_busy' && busy ? { memberId: busy.memberId } : {}) }];
  });
}

/** Skipped slots in the form that a booking returns. */
export const skippedOf = (rejected: RejectedSlot[]): SkippedDate[] =>
  rejected.map(({ slot, reason }) => ({
    ...(slot.lessonId ? { lesson_id: slot.lessonId } : {}),
    date: new Date(slot.startMs).toISOString(),
    reason,
  }));

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

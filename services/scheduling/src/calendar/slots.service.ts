import type { DateConflict, Environment, TeachingRules } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { Injectable } from '@nestjs/common';
import { isOffered, occupiedSpan, suggestionRange, suggestStarts } from './availability.rules.js';
import { CalendarService } from './calendar.service.js';
import type { Claim, ClaimElement, SkippedDate } from './claim.schema.js';

/** One lesson's time and the sessions, one for each member, that it is for. */
export interface Slot {
  startMs: number;
  endMs: number;
  sessions: { id: string; memberId: string }[];
}

/** Slots to be claimed under one key. */
export interface SlotsRequest {
  key: string;
  rules: TeachingRules;
  slots: Slot[];
  /** Book the free ones when some are not. */
  skip: boolean;
  nowMs: number;
  /** Ms for which to hold; absent: confirmed at once. */
  holdMs?: number;
  /** What is to be made of the slots that were claimed. */
  plan: (slots: Slot[]) => unknown;
}

/** A slot that cannot be had, and why. */
export interface RefusedSlot {
  slot: Slot;
  reason: DateConflict['reason'];
}

/** The claim with its slots and those left out; or, when nothing was claimed, what stood in the way. */
export type ClaimedSlots = { claim: Claim; slots: Slot[]; refused: RefusedSlot[] } | { claim: null; refused: RefusedSlot[] };

/** Turns lessons into claims: published hours, buffers, instructor and members, suggestions. */
@Injectable()
export class SlotsService {
  constructor(private readonly calendar: CalendarService) {}

  /** Claims all slots, or with `skip` those that can be had; otherwise says which stand in the way. */
  async claim(env: Environment, request: SlotsRequest): Promise<ClaimedSlots> {
    const refused = notOffered(request);
    let slots = without(request.slots, refused);
    for (;;) {
      if (slots.length === 0 || (refused.length > 0 && !request.skip)) {
        return { claim: null, refused: request.skip ? refused : [...refused, ...(await this.check(env, request.rules, slots))] };
      }
      const { key, holdMs } = request;
      const elements = slots.flatMap((slot) => elementsOf(slot, request.rules));
      const taken = await this.calendar.take(env, { key, elements, plan: request.plan(slots), skipped: skippedOf(refused), ...(holdMs === undefined ? {} : { holdMs }) });
      if ('claim' in taken) return { claim: taken.claim, slots, refused };
      refused.push(...refusedSlots(slots, taken.taken, request.rules));
      slots = without(slots, refused);
    }
  }

  /** Which of the slots could not be claimed now; keeps nothing. */
  async preview(env: Environment, request: SlotsRequest): Promise<RefusedSlot[]> {
    const refused = notOffered(request);
    return [...refused, ...(await this.check(env, request.rules, without(request.slots, refused)))];
  }

  /** Up to three times near the slot that its instructor and members could all have as they stand. */
  async suggestions(env: Environment, slot: Slot, rules: TeachingRules, nowMs: number): Promise<{ start: string; end: string }[]> {
    const { startMs, endMs } = suggestionRange(slot.startMs);
    const busyOf = (resource: string) => this.calendar.busy(env, resource, startMs, endMs);
    const [busy, ...members] = await Promise.all([busyOf(rules.instructorId), ...slot.sessions.map(({ memberId }) => busyOf(memberId))]);
    const found = suggestStarts({
      schedule: rules.schedule,
      timezone: rules.timezone,
      busy: busy ?? [],
      memberBusy: members.flat(),
      wantedStartUtc: slot.startMs,
      nowUtc: nowMs,
      durationMinutes: (slot.endMs - slot.startMs) / 60_000,
    });
    return found.map((span) => ({ start: new Date(span.startMs).toISOString(), end: new Date(span.endMs).toISOString() }));
  }

  /** The refusals as clients see them. */
  async describe(env: Environment, refused: RefusedSlot[], rules: TeachingRules, nowMs: number): Promise<DateConflict[]> {
    return Promise.all(
      refused.map(async ({ slot, reason }) => ({
        date: new Date(slot.startMs).toISOString(),
        reason,
        suggestions: await this.suggestions(env, slot, rules, nowMs),
      })),
    );
  }

  /** The refusal of a single lesson, with times that could be had instead. */
  async refusal(env: Environment, [first]: RefusedSlot[], { rules, nowMs }: Pick<SlotsRequest, 'rules' | 'nowMs'>): Promise<AppError> {
    const suggestions = await this.suggestions(env, first!.slot, rules, nowMs);
    return new AppError(first!.reason, { field: 'date', details: { suggestions } });
  }

  private async check(env: Environment, rules: TeachingRules, slots: Slot[]): Promise<RefusedSlot[]> {
    const taken = await this.calendar.check(env, slots.flatMap((slot) => elementsOf(slot, rules)));
    return refusedSlots(slots, taken, rules);
  }
}

function elementsOf(slot: Slot, rules: TeachingRules): ClaimElement[] {
  const holders = slot.sessions.map(({ id }) => id);
  return [
    { resource: rules.instructorId, ...occupiedSpan(rules.schedule, slot.startMs, slot.endMs), holders },
    ...slot.sessions.map(({ id, memberId }) => ({ resource: memberId, startMs: slot.startMs, endMs: slot.endMs, holders: [id] })),
  ];
}

function notOffered({ rules, slots, nowMs }: SlotsRequest): RefusedSlot[] {
  if (!rules.enforceAvailability) return [];
  const offered = (slot: Slot) =>
    isOffered({ schedule: rules.schedule, timezone: rules.timezone, startUtc: slot.startMs, endUtc: slot.endMs, nowUtc: nowMs });
  return slots.filter((slot) => !offered(slot)).map((slot) => ({ slot, reason: 'outside_availability' }));
}

function refusedSlots(slots: Slot[], taken: ClaimElement[], rules: TeachingRules): RefusedSlot[] {
  return slots.flatMap((slot) => {
    const own = taken.filter(({ holders }) => slot.sessions.some(({ id }) => holders.includes(id)));
    if (own.length === 0) return [];
    const byInstructor = own.some(({ resource }) => resource === rules.instructorId);
    return [{ slot, reason: byInstructor ? 'instructor_busy' : 'member_busy' } as const];
  });
}

/** Left-out slots as a booking tells of them. */
export const skippedOf = (refused: RefusedSlot[]): SkippedDate[] =>
  refused.map(({ slot, reason }) => ({ date: new Date(slot.startMs).toISOString(), reason }));

const without = (slots: Slot[], refused: RefusedSlot[]): Slot[] => slots.filter((slot) => !refused.some((each) => each.slot === slot));

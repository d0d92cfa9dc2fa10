import type { claimBooking, ParsedOf } from '@swim/contracts';
import type { HoldDocument } from './hold.schema.js';

/** The part of a booking's request that is compared with the hold. */
export type RequestedTimes = Pick<
  ParsedOf<typeof claimBooking>,
  'accountId' | 'classId' | 'rules' | 'slots' | 'location'
>;

const membersOf = (sessions: { memberId: string }[]): string =>
  sessions
    .map(({ memberId }) => memberId)
    .sort()
    .join();

/** A lesson as text: its time and members, in any order, and its id where it exists. */
const spellingOf = (startMs: number, endMs: number, { sessions, lessonId = '' }: Spelled): string =>
  `${lessonId}/${startMs}/${endMs}/${membersOf(sessions)}`;

type Spelled = { sessions: { memberId: string }[]; lessonId?: string | undefined };

/** The lessons in which a hold has places; null when it has times. */
export const lessonIdsOf = ({ slots }: Pick<HoldDocument, 'slots'>): string[] | null =>
  slots.some(({ lessonId }) => lessonId) ? slots.flatMap(({ lessonId }) => lessonId ?? []) : null;

/**
 * Whether a booking has the hold's instructor or lessons, its members and sessions, in any order, its pool if it names a location, and
 * its class if the hold is an offer of one (contract, Bookings, Classes).
 */
export function matchesHold(
  hold: Pick<HoldDocument, 'accountId' | 'classId' | 'instructorId' | 'slots' | 'location'>,
  { accountId, classId, rules, slots, location }: RequestedTimes,
): boolean {
  if (hold.accountId !== accountId) return false;
  if (hold.classId && hold.classId !== classId) return false;
  // Lessons have instructors of their own.
  if (!lessonIdsOf(hold) && hold.instructorId !== rules.instructorId) return false;
  if (location && (location.pool_id ?? null) !== (hold.location?.pool_id ?? null)) return false;
  const requested = slots.map(({ date, durationMinutes, ...slot }) =>
    spellingOf(Date.parse(date), Date.parse(date) + durationMinutes * 60_000, slot),
  );
  const held = hold.slots.map(({ startMs, endMs, ...slot }) => spellingOf(startMs, endMs, slot));
  return JSON.stringify(requested.sort()) === JSON.stringify(held.sort());
}

/** Why a booking cannot use a hold at this time; null when it can. */
export function endOf(
  { status, expiresAt }: Pick<HoldDocument, 'status' | 'expiresAt'>,
  now: Date,
): 'converted' | 'expired' | null {
  if (status === 'converted') return 'converted';
  return status !== 'active' || expiresAt === null || expiresAt <= now ? 'expired' : null;
}

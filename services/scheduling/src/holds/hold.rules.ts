import type { claimBooking, ParsedOf } from '@swim/contracts';
import type { HoldDocument } from './hold.schema.js';

/** What a booking asks for that names a hold. */
export type RequestedTimes = Pick<ParsedOf<typeof claimBooking>, 'accountId' | 'rules' | 'slots' | 'location'>;

const membersOf = (sessions: { memberId: string }[]): string =>
  sessions
    .map(({ memberId }) => memberId)
    .sort()
    .join();

/** A lesson as text: its time and members, whatever their order. */
const spellingOf = (startMs: number, endMs: number, sessions: { memberId: string }[]): string =>
  `${startMs}/${endMs}/${membersOf(sessions)}`;

/**
 * Whether a booking is of the hold's instructor, members and sessions, in whatever order, and in its pool if it names a
 * place (contract, Bookings).
 */
export function matchesHold(
  hold: Pick<HoldDocument, 'accountId' | 'instructorId' | 'slots' | 'location'>,
  { accountId, rules, slots, location }: RequestedTimes,
): boolean {
  if (hold.accountId !== accountId || hold.instructorId !== rules.instructorId) return false;
  if (location && (location.pool_id ?? null) !== (hold.location?.pool_id ?? null)) return false;
  const requested = slots.map(({ date, durationMinutes, sessions }) =>
    spellingOf(Date.parse(date), Date.parse(date) + durationMinutes * 60_000, sessions),
  );
  const held = hold.slots.map(({ startMs, endMs, sessions }) => spellingOf(startMs, endMs, sessions));
  return JSON.stringify(requested.sort()) === JSON.stringify(held.sort());
}

/** Why a hold cannot be had by a booking at this time; null when it can. */
export function endOf(
  { status, expiresAt }: Pick<HoldDocument, 'status' | 'expiresAt'>,
  now: Date,
): 'converted' | 'expired' | null {
  if (status === 'converted') return 'converted';
  return status !== 'active' || expiresAt === null || expiresAt <= now ? 'expired' : null;
}

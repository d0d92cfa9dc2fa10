import type { TeachingRules } from './claims.js';
import type { Reason } from './errors.js';
import type { Party } from './party.js';

/** Price of one session for one member, in minor units: the hourly rate by the minute, half up (contract, Payments). */
export const priceCents = (hourlyRateCents: number, durationMinutes: number): number =>
  Math.floor((hourlyRateCents * durationMinutes + 30) / 60);

/** The rules by which a claim on a party's instructor is judged. */
export function teachingRulesOf(
  instructor: NonNullable<Party['instructor']>,
  policies: Party['policies'],
): TeachingRules {
  return {
    instructorId: instructor.id,
    schoolId: instructor.schoolId,
    timezone: instructor.timezone,
    schedule: instructor.schedule,
    enforceAvailability: policies?.enforceAvailability ?? true,
    defaultPoolId: instructor.defaultPoolId,
  };
}

/** Why these people cannot meet, and which field says so. */
export interface PartyRefusal {
  reason: Extract<
    Reason,
    'not_found' | 'inactive_instructor' | 'members_of_several_accounts' | 'group_too_large' | 'school_only'
  >;
  field?: string;
}

/** Who is asked for, and the account that asks. */
export interface PartyRequest {
  memberIds: readonly string[];
  makerId: string;
}

/**
 * Why an instructor cannot teach these members together, whatever the calendar says; null when they can meet (contract,
 * Bookings). They are all of one account, and who asks is that account or the instructor's school.
 */
export function partyRefusal(
  { instructor, members }: Party,
  { memberIds, makerId }: PartyRequest,
): PartyRefusal | null {
  if (!instructor) return { reason: 'not_found', field: 'instructor_id' };
  if (instructor.status !== 'active') return { reason: 'inactive_instructor', field: 'instructor_id' };
  const missing = memberIds.findIndex((_, index) => !members[index]);
  if (missing !== -1) return { reason: 'not_found', field: `member_ids.${missing}` };
  const accounts = new Set(members.map((member) => member!.accountId));
  if (accounts.size > 1) return { reason: 'members_of_several_accounts', field: 'member_ids' };
  if (memberIds.length > instructor.maxGroupSize) return { reason: 'group_too_large', field: 'member_ids' };
  return accounts.has(makerId) || instructor.schoolId === makerId ? null : { reason: 'school_only' };
}

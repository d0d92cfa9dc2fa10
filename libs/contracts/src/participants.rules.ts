import type { TeachingRules } from './claims.js';
import type { Reason } from './errors.js';
import type { Participants } from './participants.js';

/** Price of one session for one member, in minor units: the hourly rate by the minute, half up (contract, Payments). */
export const priceCents = (hourlyRateCents: number, durationMinutes: number): number =>
  Math.floor((hourlyRateCents * durationMinutes + 30) / 60);

/** The rules by which a claim on an instructor is evaluated. */
export function teachingRulesOf(
  instructor: NonNullable<Participants['instructor']>,
  { policies, clockOffsetMs }: Pick<Participants, 'policies' | 'clockOffsetMs'>,
): TeachingRules {
  return {
    instructorId: instructor.id,
    schoolId: instructor.schoolId,
    timezone: instructor.timezone,
    schedule: instructor.schedule,
    enforceAvailability: policies?.enforceAvailability ?? true,
    defaultPoolId: instructor.defaultPoolId,
    ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }),
  };
}

/** Why these participants cannot meet, and the field at fault. */
export interface ParticipantsRejection {
  reason: Extract<
    Reason,
    'not_found' | 'inactive_instructor' | 'members_of_several_accounts' | 'group_too_large' | 'school_only'
  >;
  field?: string;
  /** Replaces the reason's own message. */
  message?: string;
  details?: Record<string, unknown>;
}

/** The requested members, and the account that requests them. */
export interface ParticipantsRequest {
  memberIds: readonly string[];
  makerId: string;
}

/**
 * Why an instructor cannot teach these members together, regardless of the calendar; null when they can meet (contract,
 * Bookings). They are all of one account, and the request comes from that account or from the instructor's school.
 */
export function participantsRejection(
  { instructor, members }: Participants,
  { memberIds, makerId }: ParticipantsRequest,
): ParticipantsRejection | null {
  if (!instructor) return { reason: 'not_found', field: 'instructor_id' };
  if (instructor.status !== 'active') return { reason: 'inactive_instructor', field: 'instructor_id' };
  const missing = memberIds.findIndex((_, index) => !members[index]);
  if (missing !== -1) return { reason: 'not_found', field: `member_ids.${missing}` };
  const accounts = new Set(members.map((member) => member!.accountId));
  if (accounts.size > 1) return { reason: 'members_of_several_accounts', field: 'member_ids' };
  if (memberIds.length > instructor.maxGroupSize) return groupTooLarge(memberIds.length, instructor.maxGroupSize);
  return accounts.has(makerId) || instructor.schoolId === makerId ? null : { reason: 'school_only' };
}

const groupTooLarge = (size: number, maximum: number): ParticipantsRejection => ({
  reason: 'group_too_large',
  field: 'member_ids',
  message: `member_ids must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'} with this instructor; you sent ${size}.`,
  details: { maximum },
});

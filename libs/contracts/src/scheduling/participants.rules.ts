import { Temporal } from 'temporal-polyfill';
import type { Reason } from '../errors/errors.js';
import type { TeachingRules } from './claims.js';
import type { Participants } from './participants.js';

/** Currencies of which processors take only multiples of an amount in minor units. */
const STEPS: Readonly<Record<string, number>> = { BHD: 10, JOD: 10, KWD: 10, MGA: 100, OMR: 10, TND: 10 };

/** The amount in minor units of which all amounts in a currency are multiples (contract, Payments). */
export const centsStep = (currency: string): number => STEPS[currency] ?? 1;

/** Why an amount cannot be taken in a currency, as an error of its field; null when it can. */
export function unrepresentable(field: string, cents: number, currency: string) {
  const step = centsStep(currency);
  if (cents % step === 0) return null;
  const expected = `a multiple of ${step}, as processors take no other amounts in ${currency}`;
  const message = `${field} must be ${expected}; you sent ${cents}.`;
  return { reason: 'not_representable', field, message, bounds: { expected } } as const;
}

/** A computed amount, as a fraction: rounded half up to one that the currency has. */
function roundedCents(numerator: number, denominator: number, currency: string): number {
  const step = centsStep(currency);
  return Math.floor((numerator + (denominator * step) / 2) / (denominator * step)) * step;
}

/** Price of one session for one member, in minor units: the hourly rate by the minute, half up (contract, Payments). */
export const priceCents = (hourlyRateCents: number, durationMinutes: number, currency: string): number =>
  roundedCents(hourlyRateCents * durationMinutes, 60, currency);

/** A percentage of an amount, such as a fee, half up. */
export const shareCents = (cents: number, percent: number, currency: string): number =>
  roundedCents(cents * percent, 100, currency);

/** The rules by which a claim on an instructor is evaluated. */
export function teachingRulesOf(
  instructor: NonNullable<Participants['instructor']>,
  { policies, clockOffsetMs, connection }: Pick<Participants, 'policies' | 'clockOffsetMs' | 'connection'>,
): TeachingRules {
  return {
    instructorId: instructor.id,
    schoolId: instructor.schoolId,
    timezone: instructor.timezone,
    schedule: instructor.schedule,
    enforceAvailability: policies?.enforceAvailability ?? true,
    defaultPoolId: instructor.defaultPoolId,
    ...(connection ? { connection: { generation: connection.generation, names: connection.names } } : {}),
    ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }),
  };
}

/** Why these participants cannot meet, and the field at fault. */
export interface ParticipantsRejection {
  reason: Extract<
    Reason,
    | 'not_found'
    | 'inactive_instructor'
    | 'members_of_several_accounts'
    | 'group_too_large'
    | 'school_only'
    | 'connection_ended'
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
  /** Whether they take places: a lesson that exists is taught, to as many as it has places. */
  inLessons?: boolean;
}

/**
 * Why an instructor cannot teach these members together, regardless of the calendar; null when they can meet (contract,
 * Bookings). They are all of one account, and the request comes from that account or from the instructor's school.
 */
export function participantsRejection(
  { instructor, members, connection }: Participants,
  { memberIds, makerId, inLessons = false }: ParticipantsRequest,
): ParticipantsRejection | null {
  if (!instructor) return { reason: 'not_found', field: 'instructor_id' };
  if (!inLessons && instructor.status !== 'active') return { reason: 'inactive_instructor', field: 'instructor_id' };
  const missing = memberIds.findIndex((_, index) => !members[index]);
  if (missing !== -1) return { reason: 'not_found', field: `member_ids.${missing}` };
  const accounts = new Set(members.map((member) => member!.accountId));
  if (accounts.size > 1) return { reason: 'members_of_several_accounts', field: 'member_ids' };
  if (!inLessons && memberIds.length > instructor.maxGroupSize)
    return groupTooLarge(memberIds.length, instructor.maxGroupSize);
  if (!accounts.has(makerId) && instructor.schoolId !== makerId) return { reason: 'school_only' };
  return connection?.isEndedBySchool
    ? { reason: 'connection_ended', field: inLessons ? 'lesson_ids' : 'instructor_id' }
    : null;
}

const groupTooLarge = (size: number, maximum: number): ParticipantsRejection => ({
  reason: 'group_too_large',
  field: 'member_ids',
  message: `member_ids must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'} with this instructor; you sent ${size}.`,
  details: { maximum },
});

/** The notes of lessons that an instructor is not certified for, or of members at levels that are not taught. */
export function teachingWarnings(
  { instructor, members }: Pick<Participants, 'instructor' | 'members'>,
  dates: readonly string[],
) {
  if (!instructor) return [];
  const { certifiedUntil, levelsTaught, timezone } = instructor;
  const dayOf = (date: string) => Temporal.Instant.from(date).toZonedDateTimeISO(timezone).toPlainDate().toString();
  const uncertified = certifiedUntil === null ? undefined : dates.find((date) => dayOf(date) > certifiedUntil);
  const isTaught =
    levelsTaught.length === 0 || members.every((member) => !member || levelsTaught.includes(member.level));
  return [
    ...(uncertified ? [{ code: 'certificate_expired', date: uncertified, expires_at: certifiedUntil! }] : []),
    // It names no level of a member, since the answer of the request is stored.
    ...(isTaught ? [] : [{ code: 'level_not_taught', levels_taught: levelsTaught }]),
  ];
}

import { type claimBooking, type Hold, type InputOf } from '@swim/contracts';
import { newId } from '@swim/platform';
import { family, type KnownPeople, school, TERMS } from '../harness.js';

/** The fields of a hold that a booking must match. */
export type Held = Pick<Hold, 'id' | 'instructor_id' | 'member_ids'> & {
  sessions: { date: string; duration_minutes: number }[];
};

/** A booking's claim of exactly the held times. */
export function conversionOf(
  people: KnownPeople,
  { id, instructor_id, member_ids, sessions }: Held,
  overrides: Partial<InputOf<typeof claimBooking>> = {},
): InputOf<typeof claimBooking> {
  const { schedule, timezone } = people.instructors.get(instructor_id)!;
  return {
    bookingId: newId('bkg'),
    holdId: id,
    accountId: family.accountId,
    rules: {
      instructorId: instructor_id,
      schoolId: school.accountId,
      timezone,
      schedule,
      enforceAvailability: true,
      defaultPoolId: null,
    },
    terms: TERMS,
    currency: 'USD',
    location: null,
    notes: 'bring fins',
    slots: sessions.map(({ date, duration_minutes }) => ({
      date,
      durationMinutes: duration_minutes,
      priceCents: 3_000,
      sessions: member_ids.map((memberId) => ({ id: newId('ses'), memberId })),
    })),
    onConflict: 'fail',
    dryRun: false,
    ...overrides,
  };
}

import type { createBooking } from '../booking/booking.js';
import type { InputOf } from '../operations/operation.js';
import type { addPaymentMethod } from '../payment/payment-methods.js';
import type { createInstructor } from '../people/instructors.js';
import type { createMember } from '../people/members.js';
import type { createPool } from '../scheduling/pools.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

type DemoInstructor = InputOf<typeof createInstructor>;

/** The pool in the demo data of a school, as POST /v1/pools takes it. */
export const DEMO_POOL: InputOf<typeof createPool> = {
  name: 'Riverside Baths',
  address: 'Uferstraße 12, 10115 Berlin',
  latitude: 52.532,
  longitude: 13.385,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

/** The members in the demo data of a family, as POST /v1/accounts/{account_id}/members takes them. */
export const DEMO_MEMBERS: Omit<InputOf<typeof createMember>, 'account_id'>[] = [
  { name: 'Mia Okafor', date_of_birth: '2017-05-04', swimming_level: 'beginner' },
  { name: 'Jonas Okafor', date_of_birth: '2014-11-21', swimming_level: 'intermediate' },
];

/** The members in the demo data of a school: invented names and dates of birth. */
export const DEMO_PUPILS: Omit<InputOf<typeof createMember>, 'account_id'>[] = [
  { name: 'Ollie Otter', date_of_birth: '2018-03-14', swimming_level: 'beginner' },
  { name: 'Penny Penguin', date_of_birth: '2018-07-02', swimming_level: 'beginner' },
  { name: 'Freddie Frog', date_of_birth: '2017-11-25', swimming_level: 'beginner' },
  { name: 'Tina Turtle', date_of_birth: '2016-05-09', swimming_level: 'advanced_beginner' },
  { name: 'Marnie Minnow', date_of_birth: '2016-09-30', swimming_level: 'advanced_beginner' },
  { name: 'Sally Seal', date_of_birth: '2014-01-17', swimming_level: 'intermediate' },
  { name: 'Danny Dolphin', date_of_birth: '2013-06-21', swimming_level: 'advanced' },
  { name: 'Wanda Whale', date_of_birth: '2012-12-05', swimming_level: 'advanced' },
];

/** A weekly lesson in the demo data of a school; indexes are those of `demoInstructors` and `DEMO_PUPILS`. */
export interface DemoLesson {
  instructor: number;
  pupils: number[];
  weekdays: (typeof DAYS)[number][];
  /** In the instructor's zone, `HH:MM`, within the published hours. */
  time: string;
  durationMinutes: number;
}

/** A week of lessons in the demo data of a school: groups and single pupils, on each day of the week. */
export const DEMO_LESSONS: DemoLesson[] = [
  { instructor: 0, pupils: [0, 1, 2], weekdays: ['mon', 'wed', 'fri'], time: '09:00', durationMinutes: 45 },
  { instructor: 0, pupils: [3], weekdays: ['tue', 'thu', 'sat'], time: '09:30', durationMinutes: 30 },
  { instructor: 0, pupils: [5, 6], weekdays: ['tue', 'thu'], time: '11:00', durationMinutes: 60 },
  { instructor: 0, pupils: [4, 7], weekdays: ['sat', 'sun'], time: '10:30', durationMinutes: 45 },
  { instructor: 0, pupils: [3, 4], weekdays: ['mon', 'wed', 'fri'], time: '15:00', durationMinutes: 45 },
  { instructor: 0, pupils: [6], weekdays: ['thu', 'sun'], time: '16:30', durationMinutes: 60 },
  { instructor: 1, pupils: [7], weekdays: ['mon', 'wed', 'fri'], time: '10:00', durationMinutes: 45 },
  { instructor: 1, pupils: [5], weekdays: ['tue', 'sat'], time: '12:30', durationMinutes: 30 },
  { instructor: 2, pupils: [2], weekdays: ['tue', 'sun'], time: '08:00', durationMinutes: 30 },
];

/** A review in the demo data of a school; indexes are those of `demoInstructors` and `DEMO_PUPILS`. */
interface DemoReview {
  instructor: number;
  pupil: number;
  stars: number;
  comment: string;
}

/** The reviews in the demo data of a school: of lessons that were never given. */
export const DEMO_REVIEWS: DemoReview[] = [
  { instructor: 0, pupil: 0, stars: 5, comment: 'She puts her face in the water now, and laughs about it.' },
  { instructor: 0, pupil: 4, stars: 4, comment: 'Patient and clear. The pool is crowded on Saturdays.' },
  { instructor: 1, pupil: 7, stars: 5, comment: 'Breathing on both sides after four lessons.' },
  { instructor: 2, pupil: 2, stars: 5, comment: 'A calm teacher, and a small group.' },
  { instructor: 2, pupil: 1, stars: 4, comment: 'He floats. Next: the first length.' },
];

/** The booking of a lesson on each of its weekdays, as POST /v1/bookings takes it: all lie in the week from a local date on. */
export const demoBooking = (
  { weekdays, time, durationMinutes }: DemoLesson,
  { firstDate, timezone, ...participants }: DemoParticipants,
): InputOf<typeof createBooking> => ({
  ...participants,
  recurrence: {
    start_local: `${firstDate}T${time}`,
    timezone,
    weekdays,
    count: weekdays.length,
    duration_minutes: durationMinutes,
  },
  on_conflict: 'skip',
});

interface DemoParticipants {
  instructor_id: string;
  member_ids: string[];
  /** `YYYY-MM-DD` in `timezone`, the instructor's zone. */
  firstDate: string;
  timezone: string;
}

/** The card in the demo data of a family, as POST /v1/accounts/{account_id}/payment-methods takes it. */
export const DEMO_METHOD: Omit<InputOf<typeof addPaymentMethod>, 'account_id'> = {
  processor_payment_method_id: 'pm_card_visa',
  is_default: true,
};

/**
 * The instructors in the demo data of a school, in three time zones, as POST /v1/instructors takes them.
 * @param poolId - where the first of them teaches.
 */
export function demoInstructors(poolId: string): DemoInstructor[] {
  return [
    instructor('Greta Lindqvist', 'Europe/Berlin', [4800, 'EUR'], ['08:00', '18:00'], {
      bio: 'Teaches children to swim since 2009, and helps those who are afraid of water.',
      certifications: [
        { type: 'Swimming Teacher', issuer: 'Deutscher Schwimmverband', issued_at: '2009-06-01' },
        { type: 'Lifeguard', issuer: 'DLRG', issued_at: '2021-03-15' },
      ],
      languages: ['de', 'en', 'sv'],
      levels_taught: ['beginner', 'advanced_beginner', 'intermediate', 'advanced'],
      service_areas: [{ name: 'Berlin', latitude: 52.52, longitude: 13.405, radius_km: 15, pool_ids: [poolId] }],
    }),
    instructor('Marcus Bell', 'America/New_York', [6000, 'USD'], ['07:00', '15:00'], {
      bio: 'Trains swimmers for their first triathlon.',
      certifications: [{ type: 'Water Safety Instructor', issuer: 'American Red Cross', issued_at: '2016-04-10' }],
      languages: ['en', 'es'],
      levels_taught: ['intermediate', 'advanced', 'proficient'],
      service_areas: [{ name: 'Brooklyn', latitude: 40.678, longitude: -73.944, radius_km: 20, pool_ids: [] }],
    }),
    instructor('Sunita Gurung', 'Asia/Kathmandu', [150_000, 'NPR'], ['06:30', '12:30'], {
      bio: 'Teaches in small groups, from the first dip to the first length.',
      certifications: [{ type: 'Lifeguard', issuer: 'Nepal Swimming Association', issued_at: '2019-09-20' }],
      languages: ['ne', 'en', 'hi'],
      levels_taught: ['beginner', 'advanced_beginner', 'intermediate'],
      service_areas: [{ name: 'Kathmandu', latitude: 27.717, longitude: 85.324, radius_km: 12, pool_ids: [] }],
    }),
  ];
}

type Profile = Pick<DemoInstructor, 'bio' | 'certifications' | 'languages' | 'levels_taught' | 'service_areas'>;

function instructor(
  name: string,
  timezone: string,
  [hourlyRateCents, currency]: [number, string],
  [start, end]: [string, string],
  profile: Profile,
): DemoInstructor {
  return {
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
    timezone,
    hourly_rate_cents: hourlyRateCents,
    currency,
    max_group_size: 4,
    availability_schedule: { weekly: DAYS.map((day) => ({ day, start, end })) },
    ...profile,
  };
}

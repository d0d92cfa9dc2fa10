import type { DemoClient } from '../../deploy/local/demo-client.ts';
import { someAtOnce } from '../booking/dataset.ts';
import type { PeopleDatabase } from './people-database.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const ZONES = ['Europe/Berlin', 'Europe/Paris', 'Europe/London', 'UTC'];
const DAY_MS = 86_400_000;
const CLOSED_DATES = 30;
const PLACE = { latitude: 52.52, longitude: 13.405 };
/** How many days ahead the requested day is. */
const DAYS_AHEAD = 14;

const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The requested day. */
const SEARCHED_DATE = dateIn(DAYS_AHEAD);

/** All four filters; every instructor passes the other three, so that the free time of all must be checked. */
export const SEARCH = new URLSearchParams({
  search: 'bench',
  certification: 'Water Safety Instructor',
  available_date: SEARCHED_DATE,
  'location[latitude]': String(PLACE.latitude),
  'location[longitude]': String(PLACE.longitude),
  'location[radius]': '50',
}).toString();

/**
 * Makes instructors with full profiles and schedules through the API, and fills their calendars: every other one has no
 * slot left on the requested day, the rest have one.
 * @param numbers - of those to be made, `to` not included.
 */
export async function makeInstructors(
  asSchool: DemoClient,
  database: PeopleDatabase,
  { from, to }: { from: number; to: number },
) {
  const made = await someAtOnce(to - from, (index) =>
    asSchool.create<{ id: string }>('/instructors', 'instructor', instructorOf(from + index)),
  );
  await database.review(made.map(({ id }) => id));
  const booked = made.map(({ id }, index) => ({ id, isFull: (from + index) % 2 === 1 }));
  await database.fillCalendars(
    booked,
    [-1, 0, 1].map((days) => dateIn(DAYS_AHEAD + days)),
  );
}

/** How many of these instructors are free on the requested day. */
export const freeAmong = (count: number) => Math.ceil(count / 2);

const instructorOf = (index: number) => ({
  name: `Bench Coach ${index}`,
  email: `bench-coach-${index}@bench.example`,
  timezone: ZONES[index % ZONES.length],
  bio: 'Thirty years in the water, with children above all. '.repeat(10),
  hourly_rate_cents: 4_800,
  currency: 'EUR',
  max_group_size: 4,
  certifications: ['Water Safety Instructor', 'Lifeguarding', 'CPR', 'First Aid'].map((type) => ({ type })),
  availability_schedule: scheduleOf(),
  service_areas: [0, 1, 2].map((area) => ({
    name: `Area ${area}`,
    latitude: PLACE.latitude + ((index % 20) + area) / 200,
    longitude: PLACE.longitude + ((index % 25) - area) / 200,
    radius_km: 15,
    pool_ids: [],
  })),
  languages: ['de', 'en'],
});

/** Mornings and afternoons of all days, from 08:00 to 17:00, and a month of single dates that differ. */
const scheduleOf = () => ({
  weekly: DAYS.flatMap((day) => [
    { day, start: '08:00', end: '12:00' },
    { day, start: '13:00', end: '17:00' },
  ]),
  overrides: Array.from({ length: CLOSED_DATES }, (_, index) => ({
    date: dateIn(DAYS_AHEAD + 7 + index),
    windows: [{ start: '10:00', end: '12:00' }],
  })),
  buffer_before_minutes: 5,
});

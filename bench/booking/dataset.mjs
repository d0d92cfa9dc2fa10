import { newId } from '@swim/platform';
import { demoClient } from '../../deploy/local/demo-client.ts';

const MADE_AT_ONCE = 8;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const FIRST_HOUR = 8;
const LESSON_MINUTES = 30;
const LESSONS_A_DAY = 16;
const MOST_LESSONS = 360 * LESSONS_A_DAY;
const DAY_MS = 86_400_000;
const TOMORROW_MS = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;

/**
 * A school's instructors and a family's members, in pairs whose bookings never conflict.
 * @typedef {object} Dataset
 * @property {string} familyKey with which the bookings are made.
 * @property {string} familyId
 * @property {string} schoolId
 * @property {{instructorId: string, memberId: string}[]} pairs
 */

/**
 * Makes pairs of its own through the API.
 * @param {import('./stack.mjs').Stack} stack
 * @param {number} pairCount
 * @returns {Promise<Dataset>}
 */
export async function makeDataset(stack, pairCount) {
  const { base_url: baseUrl, accounts } = await stack.demo();
  const { school, family } = accounts;
  const [asSchool, asFamily] = [demoClient(baseUrl, school.key), demoClient(baseUrl, family.key)];
  const pairs = await someAtOnce(pairCount, async (index) => {
    const instructor = await asSchool.create('/instructors', 'instructor', instructorOf(index));
    const member = await asFamily.create(`/accounts/${family.id}/members`, 'member', memberOf(index));
    return { instructorId: instructor.id, memberId: member.id };
  });
  return { familyKey: family.key, familyId: family.id, schoolId: school.id, pairs };
}

/**
 * Returns free lessons as input of POST /v1/bookings: pair after pair, and for each of them lesson after
 * lesson, 16 a day, so that one booking in sixteen opens a new day.
 * @param {Dataset} dataset
 * @returns {() => object} throws when a year is full.
 */
export function createTimetable({ pairs }) {
  let count = 0;
  return () => {
    const { instructorId, memberId } = pairs[count % pairs.length];
    const lesson = Math.floor(count / pairs.length);
    if (lesson >= MOST_LESSONS) throw new Error('every lesson of a year is booked; measure for a shorter time');
    count += 1;
    const sessions = [{ date: dateOf(lesson), duration_minutes: LESSON_MINUTES }];
    return { instructor_id: instructorId, member_ids: [memberId], sessions };
  };
}

/**
 * Returns start times for sessions that are moved: lesson after lesson of each instructor, from the last one of the year
 * backwards, so that they do not meet those of `createTimetable`.
 * @returns {(instructorId: string) => string}
 */
export function createMoves() {
  const moved = new Map();
  return (instructorId) => {
    const count = (moved.get(instructorId) ?? 0) + 1;
    moved.set(instructorId, count);
    return dateOf(MOST_LESSONS - count);
  };
}

function dateOf(lesson) {
  const minutes = FIRST_HOUR * 60 + (lesson % LESSONS_A_DAY) * LESSON_MINUTES;
  return new Date(TOMORROW_MS + Math.floor(lesson / LESSONS_A_DAY) * DAY_MS + minutes * 60_000).toISOString();
}

/** What all instructors have alike. */
export const TERMS = {
  timezone: 'UTC',
  hourly_rate_cents: 4_800,
  currency: 'EUR',
  max_group_size: 4,
  availability_schedule: { weekly: DAYS.map((day) => ({ day, start: '08:00', end: '16:00' })) },
};

const instructorOf = (index) => ({
  ...TERMS,
  name: `Instructor ${index}`,
  // Another one for each measurement of a run.
  email: `${newId('ins')}@bench.example`,
  service_areas: [{ name: 'Berlin', latitude: 52.52, longitude: 13.405, radius_km: 15, pool_ids: [] }],
});

const memberOf = (index) => ({
  name: `Member ${index}`,
  date_of_birth: '2017-05-04',
  swimming_level: 'beginner',
});

/**
 * Makes `count` things, a few at a time.
 * @template T
 * @param {number} count
 * @param {(index: number) => Promise<T>} make
 * @returns {Promise<T[]>} in the order of their indexes.
 */
export async function someAtOnce(count, make) {
  const results = [];
  for (let from = 0; from < count; from += MADE_AT_ONCE) {
    const length = Math.min(MADE_AT_ONCE, count - from);
    results.push(...(await Promise.all(Array.from({ length }, (_, offset) => make(from + offset)))));
  }
  return results;
}

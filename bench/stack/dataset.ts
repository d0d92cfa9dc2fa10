import { newId } from '@swim/platform';
import { demoClient } from '../../deploy/local/demo/demo-client.ts';
import type { Stack } from './stack.ts';

const MADE_AT_ONCE = 8;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const FIRST_HOUR = 8;
const LESSON_MINUTES = 30;
const LESSONS_A_DAY = 16;
const MOST_LESSONS = 360 * LESSONS_A_DAY;
export const DAY_MS = 86_400_000;
export const TOMORROW_MS: number = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;

/** The instructors of a school and the members of a family, in pairs whose bookings never conflict. */
export interface Dataset {
  /** The key that makes the bookings. */
  familyKey: string;
  familyId: string;
  schoolId: string;
  pairs: { instructorId: string; memberId: string }[];
}

export async function makeDataset(stack: Stack, pairCount: number): Promise<Dataset> {
  const { base_url: baseUrl, accounts } = await stack.demo();
  const { school, family } = accounts;
  const [asSchool, asFamily] = [demoClient(baseUrl, school.key), demoClient(baseUrl, family.key)];
  const pairs = await someAtOnce(pairCount, async (index) => {
    const instructor = await asSchool.create<{ id: string }>('/instructors', 'instructor', instructorOf(index));
    const member = await asFamily.create<{ id: string }>(`/accounts/${family.id}/members`, 'member', memberOf(index));
    return { instructorId: instructor.id, memberId: member.id };
  });
  return { familyKey: family.key, familyId: family.id, schoolId: school.id, pairs };
}

export interface BookingBody {
  instructor_id: string;
  member_ids: string[];
  sessions: { date: string; duration_minutes: number }[];
}

/**
 * Returns bodies for POST /v1/bookings with one free lesson each: pair after pair, and for each pair lesson after
 * lesson, 16 a day, so that one booking in sixteen opens a new day.
 */
export const createTimetable = (dataset: Dataset) => createBodies(dataset, MOST_LESSONS, (lesson) => [lesson]);

/**
 * Returns bodies for POST /v1/bookings with a weekly course each, pair after pair. Each course of a pair has its own
 * day and hour. They would conflict with the lessons of `createTimetable` for the same pairs.
 */
export const createCourses = (dataset: Dataset, weeks: number) =>
  createBodies(dataset, DAYS.length * LESSONS_A_DAY, (course) => {
    const first = (course % DAYS.length) * LESSONS_A_DAY + Math.floor(course / DAYS.length);
    return Array.from({ length: weeks }, (_, week) => first + week * DAYS.length * LESSONS_A_DAY);
  });

function createBodies({ pairs }: Dataset, most: number, lessonsOf: (turn: number) => number[]): () => BookingBody {
  let count = 0;
  return () => {
    const { instructorId, memberId } = pairs[count % pairs.length]!;
    const turn = Math.floor(count / pairs.length);
    if (turn >= most) throw new Error('the calendars of the dataset are full; send fewer requests');
    count += 1;
    const sessions = lessonsOf(turn).map((lesson) => ({ date: dateOf(lesson), duration_minutes: LESSON_MINUTES }));
    return { instructor_id: instructorId, member_ids: [memberId], sessions };
  };
}

/** Returns the start of the lesson with this number. */
export function dateOf(lesson: number): string {
  const minutes = FIRST_HOUR * 60 + (lesson % LESSONS_A_DAY) * LESSON_MINUTES;
  return new Date(TOMORROW_MS + Math.floor(lesson / LESSONS_A_DAY) * DAY_MS + minutes * 60_000).toISOString();
}

/** All instructors have the same terms. */
export const TERMS = {
  timezone: 'UTC',
  hourly_rate_cents: 4_800,
  currency: 'EUR',
  max_group_size: 4,
  availability_schedule: { weekly: DAYS.map((day) => ({ day, start: '08:00', end: '16:00' })) },
};

const instructorOf = (index: number) => ({
  ...TERMS,
  name: `Instructor ${index}`,
  // Each measurement of a run needs another address.
  email: `${newId('ins')}@bench.example`,
  service_areas: [{ name: 'Berlin', latitude: 52.52, longitude: 13.405, radius_km: 15, pool_ids: [] }],
});

const memberOf = (index: number) => ({
  name: `Member ${index}`,
  date_of_birth: '2017-05-04',
  swimming_level: 'beginner',
});

/** Makes `count` things, a few at a time, and returns them in the order of their indexes. */
export async function someAtOnce<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += MADE_AT_ONCE) {
    const length = Math.min(MADE_AT_ONCE, count - from);
    results.push(...(await Promise.all(Array.from({ length }, (_, offset) => make(from + offset)))));
  }
  return results;
}

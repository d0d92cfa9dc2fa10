import type { Instructor, Lesson, Member } from '@swim/contracts';
import { type DemoClient, RejectedRequest } from './demo-client.ts';

const DAY_MS = 86_400_000;
const WEEKS = 4;
const LESSON_MINUTES = 45;
export const CAPACITY = 6;

/** The children of the families whose keys are not printed: invented names and dates of birth. */
export const OTHER_CHILDREN = {
  second_family: [
    { name: 'Sami Haddad', date_of_birth: '2018-02-11', swimming_level: 'beginner' },
    { name: 'Lina Haddad', date_of_birth: '2016-08-19', swimming_level: 'advanced_beginner' },
    { name: 'Omar Haddad', date_of_birth: '2014-03-05', swimming_level: 'intermediate' },
  ],
  third_family: [
    { name: 'Ela Novak', date_of_birth: '2018-10-27', swimming_level: 'beginner' },
    { name: 'Jan Novak', date_of_birth: '2016-01-30', swimming_level: 'intermediate' },
  ],
} as const;

interface WeeklyLesson {
  /** As `Date.getUTCDay` counts. */
  weekday: number;
  /** In the zone of the instructor, within the published hours and beside the lessons of the demo data. */
  time: string;
  children: string[];
  /** Those who take the rest of the places, once in `WEEKS` weeks. */
  others: string[];
  lesson: Pick<Lesson, 'levels' | 'min_age_years' | 'max_age_years' | 'price_cents'>;
}

const WEEKLY: WeeklyLesson[] = [
  {
    weekday: 2,
    time: '16:00',
    children: ['Mia Okafor', 'Sami Haddad', 'Ela Novak'],
    others: [],
    lesson: { levels: ['beginner', 'advanced_beginner'], min_age_years: 6, max_age_years: 12, price_cents: 1_800 },
  },
  {
    weekday: 6,
    time: '12:00',
    children: ['Jonas Okafor', 'Lina Haddad', 'Jan Novak'],
    others: ['Sami Haddad', 'Omar Haddad', 'Ela Novak'],
    lesson: {
      levels: ['beginner', 'advanced_beginner', 'intermediate'],
      min_age_years: 7,
      max_age_years: 16,
      price_cents: 2_000,
    },
  },
];

/** A lesson to make, and the names of the children that get a place in it. */
export interface PlannedLesson {
  date: string;
  lesson: WeeklyLesson['lesson'];
  children: string[];
}

/**
 * The open lessons that fit the free times of an instructor.
 * @param starts - starts of free times, written with the offset of the instructor's zone.
 */
export function plannedLessons(starts: string[]): PlannedLesson[] {
  return starts.flatMap((start) => {
    const localDay = new Date(`${start.slice(0, 10)}T00:00Z`);
    const isFull = Math.floor(localDay.getTime() / (7 * DAY_MS)) % WEEKS === 0;
    return WEEKLY.filter(({ weekday, time }) => weekday === localDay.getUTCDay() && start.slice(11, 16) === time).map(
      ({ children, others, lesson }) => ({
        date: new Date(start).toISOString(),
        lesson,
        children: isFull ? [...children, ...others] : children,
      }),
    );
  });
}

export interface OpenLessonsOptions {
  school: DemoClient;
  instructor: Pick<Instructor, 'id' | 'timezone'>;
  families: { client: DemoClient; members: Pick<Member, 'id' | 'name'>[] }[];
}

/**
 * Makes the open lessons of the weeks to come, where the instructor is free and the school has not cancelled one, and fills those that it has
 * made. A lesson that exists stays as its school and families have left it.
 */
export async function addOpenLessons({ school, instructor, families }: OpenLessonsOptions): Promise<void> {
  const fromMs = await timeOf(school);
  const range = `date_from=${new Date(fromMs).toISOString()}&date_to=${new Date(fromMs + WEEKS * 7 * DAY_MS).toISOString()}`;
  const { slots } = await school.get<{ slots: { start: string }[] }>(
    `/instructors/${instructor.id}/availability?${range}&timezone=${instructor.timezone}&duration_minutes=${LESSON_MINUTES}`,
  );
  const former = await school.get<Lesson[]>(`/lessons?instructor_id=${instructor.id}&${range}&bookable=true&limit=100`);
  const missing = plannedLessons(slots.map(({ start }) => start)).filter(
    ({ date }) => !former.some((lesson) => lesson.date === date),
  );
  const made: { id: string; plan: PlannedLesson }[] = [];
  for (const plan of missing) {
    const body = { ...plan.lesson, instructor_id: instructor.id, date: plan.date, duration_minutes: LESSON_MINUTES };
    const { id } = await school.create<Lesson>('/lessons', 'lesson', { ...body, capacity: CAPACITY });
    made.push({ id, plan });
  }
  for (const { client, members } of families) {
    const nowMs = await timeOf(client);
    for (const { id, name } of members) {
      const lessons = made.filter(({ plan }) => plan.children.includes(name) && Date.parse(plan.date) > nowMs);
      if (!lessons.length) continue;
      const booking = { lesson_ids: lessons.map((lesson) => lesson.id), member_ids: [id], on_conflict: 'skip' };
      await client.create('/bookings', 'booking', { ...booking, notify_participants: false }).catch(unlessConflict);
    }
  }
}

/** Somebody who uses the demo may have advanced a child to another level, or booked that time for it. */
export function unlessConflict(error: unknown) {
  if (!(error instanceof RejectedRequest && error.status === 409)) throw error;
}

/** What the clock of an account shows. */
export async function timeOf(client: DemoClient): Promise<number> {
  const { now } = await client.get<{ now: string }>('/sandbox/clock');
  return Date.parse(now);
}

import { ConflictError, type Lesson, type Query } from '@swim/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { usePages } from '../../api/pages.ts';
import { useZones } from '../../api/zones.ts';
import { wallClockAt } from '../values/wall-clock.ts';
import { misfitOf, type Person } from './eligibility.ts';

const MOST = 100;
const AGAIN_MS = 60_000;
const STEP_MS = 300_000;

/** A child of the family. */
export interface Child extends Person {
  readonly id: string;
  readonly name: string;
}

/** The children of the family by name, with what decides which lessons fit them. */
export function useChildren(isOfFamily = true) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'members', 'children'],
    enabled: isOfFamily,
    queryFn: async ({ signal }) => {
      const children: Child[] = [];
      const members = client.members.list({ limit: MOST }, { signal });
      for await (const { id, name, swimming_level: level, date_of_birth: born } of members)
        children.push({ id, name, level, born });
      return children.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

type LessonsQuery = Omit<Query<'listLessons'>, 'limit' | 'offset' | 'cursor' | 'ids' | 'date_from' | 'bookable'>;

/** The bookable lessons to come that a query finds, soonest first; read again each minute, since others take their places. */
export function useOpenLessons(query: LessonsQuery) {
  const client = useClient();
  const environment = useEnvironment();
  const nowMs = useNow();
  // The query changes rarely, and what has begun since is left out here.
  const from = new Date(Math.floor(nowMs / STEP_MS) * STEP_MS).toISOString();
  const pages = usePages(
    [environment, 'open-lessons', query, from],
    (page, options) =>
      client.lessons.list({ ...query, ...page, bookable: true, date_from: from, limit: MOST }, options),
    AGAIN_MS,
  );
  const rows = pages.rows?.filter(({ status, date }) => status === 'scheduled' && Date.parse(date) > nowMs);
  return { ...pages, rows };
}

/** What of a lesson a child does not fit on the day of the lesson, by the clock of the pool; null for nothing. */
export function useMisfits(lessons: readonly Lesson[]) {
  const zoneOf = useZones(lessons);
  return (lesson: Lesson, child: Person) => misfitOf(lesson, child, wallClockAt(lesson.date, zoneOf(lesson)).date);
}

/** What a dialog has asked about a change. Once that is made, the answer would be another. */
const OF_DIALOGS: readonly unknown[] = ['dry-run', 'quote'];

/** Reads again what the pages show, after a change of bookings or lessons. */
export function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    queries.invalidateQueries({
      queryKey: [environment],
      predicate: ({ queryKey }) => !OF_DIALOGS.includes(queryKey[1]),
    });
}

/** Whether a child has a place in a lesson; of other families nobody learns that. */
export const hasPlace = (memberId: string, { sessions }: Pick<Lesson, 'sessions'>): boolean =>
  sessions.some(({ member_id: id, status }) => id === memberId && status !== 'cancelled');

export interface LessonSuggestion {
  readonly lesson_id: string;
  readonly date: string;
}

/** The lessons with a place that the API suggests instead of a full one. */
export function suggestedLessonsOf(error: unknown): readonly LessonSuggestion[] {
  if (!(error instanceof ConflictError) || error.details.reason !== 'lesson_full') return [];
  const { suggestions = [] } = error.details as { suggestions?: readonly LessonSuggestion[] };
  return suggestions;
}

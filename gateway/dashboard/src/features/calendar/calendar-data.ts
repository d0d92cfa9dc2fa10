import type { AccountEvent, Closure, Lesson } from '@swim/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useMe } from '../../api/me.ts';
import { allOf } from '../../api/pages.ts';
import type { Period } from './layout/days.ts';

const PAGE = 100;
const CALENDAR = 'calendar';
const SLOW_MS = 5 * 60_000;
const NO_CLOSURES: readonly Closure[] = [];

/** The lessons of the school in a period: the first page says how many there are, the others are read at once. */
export function useLessons({ from, to }: Period) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, CALENDAR, 'lessons', from, to],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Lesson[]> => {
      const own = { account_id: account.id, date_from: from, date_to: to, limit: PAGE };
      const page = (offset: number) => client.lessons.list({ ...own, offset }, { signal });
      const { data, pagination } = await page(0);
      const offsets = Array.from({ length: Math.ceil(pagination.total / PAGE) - 1 }, (_, at) => (at + 1) * PAGE);
      const rest = await Promise.all(offsets.map(async (offset) => (await page(offset)).data));
      return [...data, ...rest.flat()];
    },
  });
}

/** The closures of the school that close some of a period. */
export function useClosures({ from, to }: Period) {
  const client = useClient();
  const environment = useEnvironment();
  const { data = NO_CLOSURES } = useQuery({
    queryKey: [environment, CALENDAR, 'closures'],
    queryFn: ({ signal }): Promise<Closure[]> => allOf(client.closures.list({ limit: PAGE }, { signal })),
  });
  return useMemo(
    () => data.filter((each) => Date.parse(each.to) > Date.parse(from) && Date.parse(each.from) < Date.parse(to)),
    [data, from, to],
  );
}

/** The instructors and the pools of the school. */
export function useSchool() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, CALENDAR, 'school'],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => {
      const own = { account_id: account.id, limit: PAGE };
      const [instructors, pools] = await Promise.all([
        allOf(client.instructors.list(own, { signal })),
        allOf(client.pools.list(own, { signal })),
      ]);
      return { instructors, pools };
    },
  });
}

/** What the events of a kind change. */
const CHANGED: Readonly<Record<string, string>> = {
  session: 'lessons',
  lesson: 'lessons',
  closure: 'closures',
  instructor: 'school',
};

/** Reads again when an event reports a change. */
export function useLiveCalendar() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useLiveEvents(({ type }: AccountEvent) => {
    const part = CHANGED[type.split('.')[0]!];
    if (part) void queries.invalidateQueries({ queryKey: [environment, CALENDAR, part] });
  });
}

/** Reads the lessons again, after a change of one's own. */
export function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () => queries.invalidateQueries({ queryKey: [environment, CALENDAR, 'lessons'] });
}

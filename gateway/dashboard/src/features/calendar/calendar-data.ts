import type { AccountEvent, List, Session } from '@swim/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useMe } from '../../api/me.ts';
import type { Period } from './layout/days.ts';

const PAGE = 100;
const CALENDAR = 'calendar';
const SLOW_MS = 5 * 60_000;

/** The sessions of a period: the first page says how many there are, the others are read at once. */
export function useSessions({ from, to }: Period) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, CALENDAR, 'sessions', from, to],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Session[]> => {
      const page = (offset: number) =>
        client.sessions.list({ date_from: from, date_to: to, limit: PAGE, offset }, { signal });
      const { data, pagination } = await page(0);
      const offsets = Array.from({ length: Math.ceil(pagination.total / PAGE) - 1 }, (_, at) => (at + 1) * PAGE);
      const rest = await Promise.all(offsets.map(async (offset) => (await page(offset)).data));
      return [...data, ...rest.flat()];
    },
  });
}

async function ownOf<T extends { account_id: string }>(list: List<T>, accountId: string): Promise<T[]> {
  const own: T[] = [];
  for await (const item of list) if (item.account_id === accountId) own.push(item);
  return own;
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
      const [instructors, pools] = await Promise.all([
        ownOf(client.instructors.list({ limit: PAGE }, { signal }), account.id),
        ownOf(client.pools.list({ limit: PAGE }, { signal }), account.id),
      ]);
      return { instructors, pools };
    },
  });
}

const CHANGING = /^(session|instructor)\./;

/** Keeps the calendar as it is: whatever anybody changes appears. */
export function useLiveCalendar() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useLiveEvents(({ type }: AccountEvent) => {
    if (!CHANGING.test(type)) return;
    const part = type.startsWith('session.') ? 'sessions' : 'school';
    void queries.invalidateQueries({ queryKey: [environment, CALENDAR, part] });
  });
}

/** Reads the sessions again, after a change of one's own. */
export function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () => queries.invalidateQueries({ queryKey: [environment, CALENDAR, 'sessions'] });
}

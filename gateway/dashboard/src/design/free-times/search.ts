import { parseDate } from '@internationalized/date';
import type { AvailableSlot } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';
import { wallClockAt } from '../values/wall-clock.ts';
import { queryOf, type Wanted } from './query.ts';

/** One less than the API takes, whose days may have 25 hours. */
const MOST_DAYS = 30;
const MOST = 100;

export const dayAfter = (day: string, days: number): string => parseDate(day).add({ days }).toString();

/** Today, YYYY-MM-DD, by the clock of the account. */
export function useToday(): string {
  const { account } = useMe();
  return wallClockAt(new Date(useNow()).toISOString(), account.timezone).date;
}

/** The soonest free time from a day on; null where none is within a month. */
export function useFirstFree(wanted: Wanted, from: string) {
  const client = useClient();
  const environment = useEnvironment();
  const { timezone } = useMe().account;
  const query = {
    ...queryOf(wanted, timezone),
    date_from: from,
    date_to: dayAfter(from, MOST_DAYS),
    first_only: true,
    limit: 1,
  };
  return useQuery({
    queryKey: [environment, 'free-times', 'first', query],
    enabled: wanted.instructors.length > 0,
    queryFn: async ({ signal }): Promise<AvailableSlot | null> =>
      (await client.availability.list(query, { signal })).data[0] ?? null,
  });
}

/** The free times of a day, by the clock of the account. */
export function useFreeTimes(wanted: Wanted, day: string | null) {
  const client = useClient();
  const environment = useEnvironment();
  const { timezone } = useMe().account;
  const query = { ...queryOf(wanted, timezone), ...(day ? { date_from: day, date_to: dayAfter(day, 1) } : {}) };
  const isEmpty = day === null || wanted.instructors.length === 0;
  return usePages([environment, 'free-times', isEmpty, query], async (page, options) =>
    isEmpty ? NOTHING : client.availability.list({ ...query, ...page, limit: MOST }, options),
  );
}

const NOTHING = {
  data: [],
  pagination: { total: 0, limit: MOST, offset: 0, has_more: false, next_cursor: null },
  meta: undefined,
};

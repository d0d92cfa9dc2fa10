import type { Booking, Session } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { useRefresh } from '../../design/lessons/open-lessons.ts';

const MOST = 100;
/** Bookings among which is searched for what is due, the newest first. */
const MOST_BOOKINGS = 500;
const STEP_MS = 300_000;

/** The lessons to come of the family, soonest first. */
export function useNextLessons() {
  const client = useClient();
  const environment = useEnvironment();
  const nowMs = useNow();
  const from = new Date(Math.floor(nowMs / STEP_MS) * STEP_MS).toISOString();
  const query = useQuery({
    queryKey: [environment, 'home', 'lessons', from],
    queryFn: async ({ signal }): Promise<Session[]> =>
      (await client.sessions.list({ status: 'scheduled', date_from: from, limit: MOST }, { signal })).data,
  });
  return { ...query, data: query.data?.filter(({ date }) => Date.parse(date) > nowMs) };
}

/** The bookings of the family on which something is due, the oldest first. */
export function useDue() {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'home', 'due'],
    queryFn: async ({ signal }): Promise<Booking[]> => {
      const due: Booking[] = [];
      let read = 0;
      for await (const booking of client.bookings.list({ limit: MOST }, { signal })) {
        read += 1;
        if (booking.amount_due_cents > 0 && booking.status !== 'expired') due.unshift(booking);
        if (read === MOST_BOOKINGS) break;
      }
      return due;
    },
  });
}

/** Reads again when an event reports a change. */
export function useLiveHome() {
  const refresh = useRefresh();
  return useLiveEvents(({ type }) => {
    if (/^(?:booking|session|payment|member)\./.test(type)) void refresh();
  }, useScopes()('events:read'));
}

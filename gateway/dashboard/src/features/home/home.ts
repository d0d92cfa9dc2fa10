import type { Session } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { useRefresh } from '../../design/lessons/open-lessons.ts';

const MOST = 100;
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

/** Reads again when an event reports a change. */
export function useLiveHome() {
  const refresh = useRefresh();
  return useLiveEvents(({ type }) => {
    if (/^(?:booking|session|payment|member|connection)\./.test(type)) void refresh();
  }, useScopes()('events:read'));
}

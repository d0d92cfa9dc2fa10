import type { Connection, Query } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { useInstructorChoice } from '../../api/names.ts';
import { usePages } from '../../api/pages.ts';
import { useRefresh } from '../../design/lessons/open-lessons.ts';

const SLOW_MS = 5 * 60_000;
const MOST = 100;

/** The connections of the account, newest first; whatever anybody changes appears. */
export function useConnections(status: 'active' | 'ended' | '') {
  const client = useClient();
  const environment = useEnvironment();
  const refresh = useRefresh();
  useLiveEvents(({ type }) => {
    if (type.startsWith('connection.')) void refresh();
  }, useScopes()('events:read'));
  return usePages([environment, 'connections', status], (page, options) =>
    client.connections.list({ ...(status ? { status } : {}), ...page }, options),
  );
}

/** The families of the school, newest first. */
export function useFamilies(query: Omit<Query<'listFamilies'>, 'limit' | 'offset' | 'cursor'>) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, 'families', query], (page, options) =>
    client.families.list({ ...query, ...page }, options),
  );
}

/** Finds the connection of the school with an account, if it is active. */
export function useFindConnection() {
  const client = useClient();
  return useMutation({
    mutationFn: async (accountId: string): Promise<Connection | undefined> =>
      (await client.connections.list({ account_id: accountId, status: 'active', limit: 1 })).data[0],
  });
}

/** What the account does with a connection. */
export function useConnectionActions({ id }: Connection) {
  const { connections } = useClient();
  const onSuccess = useRefresh();
  return {
    end: useMutation({
      mutationFn: (notify: boolean) => connections.end(id, { notify_participants: notify }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: (memberIds: string[]) => connections.update(id, { member_ids: memberIds }),
      onSuccess,
    }),
    reopen: useMutation({ mutationFn: () => connections.update(id, { status: 'active' }), onSuccess }),
  };
}

/** What a family knows a school by: its pools, else its instructors. The API tells no account the name of another. */
export function useSchools(): (schoolId: string) => string {
  const client = useClient();
  const environment = useEnvironment();
  const { data: instructors = [] } = useInstructorChoice();
  const { data: pools = [] } = useQuery({
    queryKey: [environment, 'pools', 'choice-of-family'],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => (await client.pools.list({ limit: MOST }, { signal })).data,
  });
  return (schoolId) => {
    const namesIn = (all: readonly { account_id: string; name: string }[]) =>
      all.filter(({ account_id: id }) => id === schoolId).map(({ name }) => name);
    return namesIn(pools).join(', ') || namesIn(instructors).join(', ') || '–';
  };
}

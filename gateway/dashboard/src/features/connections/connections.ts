import type { Connection, Query } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, usePools } from '../../api/names.ts';
import { usePages } from '../../api/pages.ts';
import { useRefresh } from '../../design/lessons/open-lessons.ts';

const MOST = 100;
const NONE: ReadonlyMap<string, string> = new Map();

/** The connections of the account, newest first. Reads again when an event reports a change. */
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

/** The names of the families that owe the school, by their accounts. Of those whose connection has ended, the API lists no others. */
export function useNamesOfOwing(): ReadonlyMap<string, string> {
  const client = useClient();
  const environment = useEnvironment();
  const isSchool = useMe().account.kind === 'school';
  const { data } = useQuery({
    queryKey: [environment, 'families', 'names-of-owing'],
    enabled: useScopes()('payments:read') && isSchool,
    queryFn: async ({ signal }) => {
      const names = new Map<string, string>();
      for await (const { account_id: id, name } of client.families.list({ due: true, limit: MOST }, { signal }))
        if (name !== null) names.set(id, name);
      return names;
    },
  });
  return data ?? NONE;
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

/** The pools of a school, else its instructors: the API shows no account the name of another. */
export function useSchools(): (schoolId: string) => string {
  const { data: instructors = [] } = useInstructorChoice();
  const { data: pools = [] } = usePools();
  return (schoolId) => {
    const namesIn = (all: readonly { account_id: string; name: string }[]) =>
      all.filter(({ account_id: id }) => id === schoolId).map(({ name }) => name);
    return namesIn(pools).join(', ') || namesIn(instructors).join(', ') || '–';
  };
}

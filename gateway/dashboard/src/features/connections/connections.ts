import {
  ApiError,
  type Connection,
  type CreatedFamily,
  type CreateFamilyBody,
  type FamilyDetails,
  type Query,
} from '@swim/sdk';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useLiveEvents } from '../../api/live-events.ts';
import { useMe, useScopes } from '../../api/me.ts';
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

/** One family of the school; null where it has none of this account. */
export function useFamily(accountId: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'families', 'one', accountId],
    queryFn: ({ signal }): Promise<FamilyDetails | null> =>
      client.families.getFamily(accountId, { signal }).catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
  });
}

/** Makes a family, once however often it is sent. */
export function useCreateFamily() {
  const { families } = useClient();
  const send = useOnce<CreateFamilyBody, CreatedFamily>((body, idempotencyKey) =>
    families.createFamily(body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** Adds a member to a family that nobody has claimed, and to its connection, so that the school sees it. */
export function useAddMember({ id: connectionId, account_id: accountId, member_ids: ids }: Connection) {
  const { members, connections } = useClient();
  const send = useOnce(async (body: Omit<CreateFamilyBody['members'][number], 'external_id'>, idempotencyKey) => {
    const { id } = await members.create(accountId, body, { idempotencyKey });
    return connections.update(connectionId, { member_ids: [...ids, id] });
  });
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

interface Invitation {
  readonly sentAt: string;
  readonly expiresAt: string;
}

/** Invites a family to claim its account, and knows the last invitation that these pages have sent. */
export function useInvite(accountId: string) {
  const { families } = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const queryKey = [environment, 'invited', accountId];
  const { data: sent } = useQuery<Invitation>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const invite = useMutation({
    mutationFn: () => families.inviteFamily(accountId),
    onSuccess: ({ expires_at: expiresAt }) => {
      queries.setQueryData<Invitation>(queryKey, { sentAt: new Date().toISOString(), expiresAt });
    },
  });
  return { invite, sent };
}

/** Claims an account of the sandbox in place of its family. */
export function useClaim(accountId: string) {
  const { sandbox } = useClient();
  return { claim: useMutation({ mutationFn: () => sandbox.claimFamily(accountId) }), refresh: useRefresh() };
}

/** The connection of the school with an account. */
export function useConnectionWith(accountId: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'connections', 'with', accountId],
    queryFn: async ({ signal }) =>
      (await client.connections.list({ account_id: accountId, limit: 1 }, { signal })).data[0] ?? null,
    select: (connection) => connection ?? undefined,
  });
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

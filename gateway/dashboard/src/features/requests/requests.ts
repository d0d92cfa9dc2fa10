import type { Query, RequestLogEntry } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useKeys } from '../../api/keys.ts';
import { usePages } from '../../api/pages.ts';

/** The filters of the log, as its address has them; empty where one is not set. */
export interface RequestFilters {
  readonly status: string;
  readonly method: string;
  readonly key: string;
  readonly path: string;
  readonly request: string;
}

const NAMES = ['status', 'method', 'key', 'path', 'request'] as const;

/** The filters that an address has. */
export const requestFiltersOf = (params: URLSearchParams): RequestFilters =>
  Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as unknown as RequestFilters;

/** The parameters of an address for filters; those that are not set are left out. */
export const paramsOfRequestFilters = (filters: RequestFilters): URLSearchParams =>
  new URLSearchParams(NAMES.filter((name) => filters[name]).map((name) => [name, filters[name]]));

type RequestQuery = Query<'listRequests'>;

/** The choice, beside the keys, of what users of the dashboard have requested. */
export const USERS = 'user';

function queryOf({ status, method, key, path, request }: RequestFilters): RequestQuery {
  const requestId = request.trim();
  // A page of the dashboard makes many requests, among which those of keys would be lost.
  const requester = key === USERS ? USERS : key || requestId ? '' : 'key';
  const keyId = key === USERS ? '' : key;
  const set = { status, method, requester, key_id: keyId, path: path.trim(), request_id: requestId };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value)) as RequestQuery;
}

/** How often a list that is shown is read again: entries arrive a second or two after their answers. */
const AGAIN_MS = 5_000;

/** The requests of the account, newest first. */
export function useRequests(filters: RequestFilters) {
  const client = useClient();
  const environment = useEnvironment();
  const query = queryOf(filters);
  return usePages<RequestLogEntry>(
    [environment, 'requests', query],
    (page, options) => client.requests.list({ ...query, ...page }, options),
    AGAIN_MS,
  );
}

/** One request, and the events that it caused. */
export function useRequest(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  const request = useQuery({
    queryKey: [environment, 'request', id],
    queryFn: ({ signal }) => client.requests.get(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const requestId = request.data?.request_id;
  const events = useQuery({
    queryKey: [environment, 'events', 'of', requestId],
    enabled: requestId !== undefined,
    queryFn: async ({ signal }) => (await client.events.list({ request_id: requestId!, limit: 100 }, { signal })).data,
  });
  return { request, events };
}

/** The name of the key or user that made a request; the id where it no longer exists. */
export function useRequesters(): (request: RequestLogEntry) => string {
  const keys = useKeys();
  const users = useQuery({
    queryKey: ['users'],
    queryFn: () => dashboardApi.get<{ id: string; name: string }[]>('/users'),
  });
  const names = new Map([...(keys.data ?? []), ...(users.data ?? [])].map(({ id, name }) => [id, name]));
  return ({ key_id: key, user_id: user }) => names.get(key ?? user ?? '') ?? key ?? user ?? '–';
}

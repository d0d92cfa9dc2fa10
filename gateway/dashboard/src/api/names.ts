import type { ListedInstructor, Pool } from '@swim/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dashboardApi } from './dashboard-api.ts';
import { useDebounced } from './debounced.ts';
import { useClient, useEnvironment } from './environment.tsx';
import { useMe } from './me.ts';

const SLOW_MS = 5 * 60_000;
/** Most ids in one request. */
const IDS = 100;

const NONE: ReadonlyMap<string, string> = new Map();

interface Named {
  readonly id: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, string>;
type Read = (ids: string, signal: AbortSignal) => PromiseLike<{ readonly data: readonly Named[] }>;

function useNames(kind: string, ids: readonly string[], read: Read) {
  const environment = useEnvironment();
  const unique = [...new Set(ids)].sort();
  const batches = Array.from({ length: Math.ceil(unique.length / IDS) }, (_, at) =>
    unique.slice(at * IDS, (at + 1) * IDS),
  );
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: [environment, 'names', kind, unique],
    staleTime: SLOW_MS,
    placeholderData: keepPreviousData,
    enabled: unique.length > 0,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(batches.map((batch) => read(batch.join(), signal)));
      return new Map(pages.flatMap((page) => page.data.map(({ id, name }) => [id, name] as const)));
    },
  });
  return { names: data ?? NONE, isPending: unique.length > 0 && (isPending || isPlaceholderData) };
}

/** The names of members by their ids, and whether they are still being read: until then those of earlier ids are known. */
export function useMemberNamesQuery(ids: readonly string[]): { names: Names; isPending: boolean } {
  const client = useClient();
  return useNames('members', ids, (part, signal) => client.members.list({ ids: part, limit: IDS }, { signal }));
}

/** The names of members by their ids; those that may not be read are left out. */
export const useMemberNames = (ids: readonly string[]): Names => useMemberNamesQuery(ids).names;

/** The names of instructors by their ids. */
export function useInstructorNames(ids: readonly string[]): Names {
  const client = useClient();
  return useNames('instructors', ids, (part, signal) => client.instructors.list({ ids: part, limit: IDS }, { signal }))
    .names;
}

/** The names of pools by their ids. */
export function usePoolNames(ids: readonly string[]): Names {
  const client = useClient();
  return useNames('pools', ids, (part, signal) => client.pools.list({ ids: part, limit: IDS }, { signal })).names;
}

/** The names of schools by the ids of their accounts: the API shows no account the name of another. */
export function useSchoolNames(ids: readonly string[]): Names {
  return useNames('schools', ids, (part) => dashboardApi.list<Named>(`/schools?ids=${part}`)).names;
}

/** The names of classes by their ids. */
export function useClassNames(ids: readonly string[]): Names {
  const client = useClient();
  return useNames('classes', ids, (part, signal) => client.classes.list({ ids: part, limit: IDS }, { signal })).names;
}

/** The instructors among whom the account chooses: its own of a school, else the first that there are. */
export function useInstructorChoice() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'instructors', 'choice'],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => {
      const found: ListedInstructor[] = [];
      for await (const { data } of client.instructors.list({ limit: IDS }, { signal }).pages()) {
        found.push(...data.filter(({ account_id: id }) => account.kind !== 'school' || id === account.id));
        if (found.length >= IDS) break;
      }
      return found;
    },
  });
}

/** The pools of the account. */
export function usePoolChoice() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'pools', 'choice'],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => {
      const own: Pool[] = [];
      for await (const pool of client.pools.list({ limit: IDS }, { signal }))
        if (pool.account_id === account.id) own.push(pool);
      return own;
    },
  });
}

/** The pools among which a family chooses. */
export function usePools() {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'pools', 'choice-of-family'],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => (await client.pools.list({ limit: IDS }, { signal })).data,
  });
}

/** The time zone of an instructor among whom the account chooses, in which the times of lessons are typed; the account's without one. */
export function useInstructorZone(id: string): string {
  const { account } = useMe();
  return useInstructorChoice().data?.find((each) => each.id === id)?.timezone ?? account.timezone;
}

/** The currency of an instructor's prices; the account's without one. */
export function useInstructorCurrency(instructorId: string): string {
  const { account } = useMe();
  return useInstructorChoice().data?.find(({ id }) => id === instructorId)?.currency ?? account.currency;
}

const FOUND = 10;

/** The first members whose names have the typed text in them; none until they are read: those of an earlier text could be chosen. */
export function useMemberSearch(typed: string) {
  const text = useDebounced(typed);
  const client = useClient();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: [environment, 'members', 'search', text],
    staleTime: SLOW_MS,
    queryFn: async ({ signal }) => {
      const page = await client.members.list({ limit: FOUND, ...(text ? { search: text } : {}) }, { signal });
      return page.data.map(({ id, name, date_of_birth: detail, swimming_level: level }) => ({
        id,
        name,
        detail,
        level,
      }));
    },
  });
  return text === typed ? data : undefined;
}

import type { ListedInstructor, Pool } from '@swim/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dashboardApi } from './dashboard-api.ts';
import { useDebounced } from './debounced.ts';
import { useClient, useEnvironment } from './environment.tsx';
import { useMe } from './me.ts';
import { allOf } from './pages.ts';

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

/** The schools among whose instructors and pools the account chooses: a school itself, a family those that it has an active connection with. */
function useSchoolIds() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const isFamily = account.kind === 'family';
  const ofFamily = useQuery({
    queryKey: [environment, 'connections', 'schools'],
    enabled: isFamily,
    queryFn: async ({ signal }) => {
      const { data } = await client.connections.list({ status: 'active', limit: IDS }, { signal });
      return data.map(({ school_id: id }) => id).sort();
    },
  });
  return isFamily ? ofFamily : { data: [account.id], error: null };
}

type ReadAll<T> = (
  query: { limit: number } & ({ account_id: string } | { ids: string }),
  options: { signal: AbortSignal },
) => AsyncIterable<T>;

/** What there is of a kind in the schools among which the account chooses, and one more that was chosen elsewhere. */
function useChoice<T extends { id: string }>(kind: 'instructors' | 'pools', read: ReadAll<T>, also: string) {
  const environment = useEnvironment();
  const { data: schools, error } = useSchoolIds();
  const choice = useQuery({
    queryKey: [environment, kind, 'choice', schools],
    staleTime: SLOW_MS,
    // A first booking with a school adds those of the school; until they are read, the page keeps what it shows.
    placeholderData: keepPreviousData,
    enabled: schools !== undefined,
    queryFn: ({ signal }) =>
      schools?.length ? allOf(read({ account_id: schools.join(), limit: IDS }, { signal })) : [],
  });
  const isAlone = also !== '' && choice.data !== undefined && choice.data.every(({ id }) => id !== also);
  const other = useQuery({
    queryKey: [environment, kind, 'choice', 'also', also],
    staleTime: SLOW_MS,
    enabled: isAlone,
    queryFn: ({ signal }) => allOf(read({ ids: also, limit: 1 }, { signal })),
  });
  const outcome = isAlone ? other : choice;
  const data = isAlone ? other.data && [...choice.data, ...other.data] : choice.data;
  return { data, error: error ?? outcome.error, isPending: outcome.isPending };
}

/**
 * The instructors among whom the account chooses: its own of a school; of a family, those of the schools that it has an active connection
 * with. `also` is one whom the page is about, of whichever school.
 */
export function useInstructorChoice(also = '') {
  const { instructors } = useClient();
  return useChoice<ListedInstructor>('instructors', (query, options) => instructors.list(query, options), also);
}

/** The pools among which the account chooses, as the instructors. */
export function usePoolChoice(also = '') {
  const { pools } = useClient();
  return useChoice<Pool>('pools', (query, options) => pools.list(query, options), also);
}

/** The time zone of an instructor, in which the times of lessons are typed; the account's without one. */
export function useInstructorZone(id: string): string {
  const { account } = useMe();
  return useInstructorChoice(id).data?.find((each) => each.id === id)?.timezone ?? account.timezone;
}

/** The currency of an instructor's prices; the account's without one. */
export function useInstructorCurrency(instructorId: string): string {
  const { account } = useMe();
  return useInstructorChoice(instructorId).data?.find(({ id }) => id === instructorId)?.currency ?? account.currency;
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

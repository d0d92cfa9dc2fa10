import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from './environment.tsx';
import { useMe } from './me.ts';

const SLOW_MS = 5 * 60_000;
/** Most ids in one request. */
const IDS = 100;

/** What says where a lesson is. */
interface Placed {
  readonly instructor_id: string;
  readonly location?: { readonly pool_id: string | null } | null;
}

const unique = (ids: readonly (string | null | undefined)[]) => [...new Set(ids.filter((id) => id != null))].sort();

/** The time zone of each of these lessons: that of its pool, else of its instructor; the account's until they are read. */
export function useZones(lessons: readonly Placed[]): (lesson: Placed) => string {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const instructorIds = unique(lessons.map(({ instructor_id: id }) => id));
  const poolIds = unique(lessons.map(({ location }) => location?.pool_id));
  const { data } = useQuery({
    queryKey: [environment, 'zones', instructorIds, poolIds],
    staleTime: SLOW_MS,
    placeholderData: keepPreviousData,
    enabled: instructorIds.length > 0,
    queryFn: async ({ signal }) => {
      const batches = Array.from({ length: Math.ceil(instructorIds.length / IDS) }, (_, at) =>
        instructorIds.slice(at * IDS, (at + 1) * IDS).join(),
      );
      const pages = batches.map((ids) => client.instructors.list({ ids, limit: IDS }, { signal }));
      // A pool may be gone.
      const pools = Promise.allSettled(poolIds.map((id) => client.pools.get(id, { signal })));
      const instructors = (await Promise.all(pages)).flatMap((page) => page.data);
      const kept = (await pools).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      return new Map([...instructors, ...kept].map(({ id, timezone }) => [id, timezone]));
    },
  });
  return ({ instructor_id: id, location }) => data?.get(location?.pool_id ?? '') ?? data?.get(id) ?? account.timezone;
}

import type { Page } from '@swim/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

const PAGE = 25;

/** The query of a page of a list. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

type Read<T> = (query: PageQuery, options: { signal: AbortSignal }) => PromiseLike<Page<T>>;

/** A list of the API, read page by page with its cursor; with `againMs`, read again so long after each time while it is shown. */
export function usePages<T>(queryKey: readonly unknown[], read: Read<T>, againMs?: number) {
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    placeholderData: keepPreviousData,
    refetchInterval: againMs ?? false,
    queryFn: async ({ pageParam, signal }) => {
      const page = await read({ limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal });
      return { data: page.data, next: page.pagination.next_cursor };
    },
    getNextPageParam: ({ next }) => next,
  });
  return { ...query, rows: query.data?.pages.flatMap(({ data }) => data) };
}

export type Pages<T> = ReturnType<typeof usePages<T>>;

/** All items of a list of the API, of as many pages as it has. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
}

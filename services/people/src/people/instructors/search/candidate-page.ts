import type { Page } from '@swim/contracts';
import { type PageOf, withinPageBytes } from '@swim/mongo';
import { type Candidate, indexAfter, positionOf } from './search.rules.js';

/** One page of candidates in the order of the search; `load` returns the items of a slice, in its order. */
export async function pageOfCandidates<T>(
  all: readonly Candidate[],
  { request, cursors, bound }: Omit<PageOf, 'order'>,
  load: (slice: Candidate[]) => Promise<T[]>,
): Promise<Page<T>> {
  const start = request.cursor === undefined ? (request.offset ?? 0) : after(cursors.decode(request.cursor, bound));
  const slice = all.slice(start, start + request.limit);
  const whole = await load(slice);
  const items = withinPageBytes(whole);
  const end = start + (items.length < whole.length ? items.length : slice.length);
  const has_more = end < all.length && items.length > 0;
  const next_cursor = has_more ? cursors.encode(positionOf(all[end - 1]!), bound) : null;
  return { items, pagination: { has_more, next_cursor, total: all.length } };

  function after([km, id]: (string | number)[]): number {
    return indexAfter(all, { id: String(id), km: Number(km) });
  }
}

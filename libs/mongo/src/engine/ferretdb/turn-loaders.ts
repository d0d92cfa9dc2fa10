import DataLoader from 'dataloader';
import type { Connection } from 'mongoose';

/**
 * Answers the requests to one database of one turn of the event loop together, or those of some milliseconds.
 * @param answer - answers requests, in their order.
 * @param most - of them at once.
 * @param gatherMs - how long requests are gathered after the first; without it, until the turn ends.
 * @returns what adds a request to the next that are answered.
 */
export function answeredByTurn<K, V>(
  answer: (requests: readonly K[]) => Promise<V[]>,
  most: number,
  gatherMs?: number,
): (database: Connection, request: K) => Promise<V> {
  const loaders = new WeakMap<Connection, DataLoader<K, V>>();
  const schedule = (run: () => void) => void (gatherMs === undefined ? setImmediate(run) : setTimeout(run, gatherMs));
  // What was answered once may have changed since.
  const options = { cache: false, maxBatchSize: most, batchScheduleFn: schedule };
  return (database, request) => {
    const known = loaders.get(database);
    const loader = known ?? new DataLoader(answer, options);
    if (!known) loaders.set(database, loader);
    return loader.load(request);
  };
}

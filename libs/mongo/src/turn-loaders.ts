import DataLoader from 'dataloader';
import type { Connection } from 'mongoose';

/**
 * Answers the requests to one database of one turn of the event loop together.
 * @param answer - answers requests, in their order.
 * @param most - of them at once.
 * @returns what adds a request to a database's next turn.
 */
export function answeredByTurn<K, V>(
  answer: (requests: readonly K[]) => Promise<V[]>,
  most: number,
): (database: Connection, request: K) => Promise<V> {
  const loaders = new WeakMap<Connection, DataLoader<K, V>>();
  // What was answered once may have changed since.
  const options = { cache: false, maxBatchSize: most, batchScheduleFn: (run: () => void) => void setImmediate(run) };
  return (database, request) => {
    const known = loaders.get(database);
    const loader = known ?? new DataLoader(answer, options);
    if (!known) loaders.set(database, loader);
    return loader.load(request);
  };
}

import { Recent } from '@swim/platform';
import type { Connection } from 'mongoose';

const REMEMBERED = 10_000;

/** By database: one process may serve several. */
const finished = new WeakMap<Connection, Recent<true>>();

/**
 * Notes work whose answer is stored with its `Idempotency-Key`, after its only run: no run repeats it, and none is late. The
 * answers of such work that are stored with documents are not needed any more.
 */
export function noteFinished(database: Connection, opId: string): void {
  const known = finished.get(database) ?? new Recent<true>(REMEMBERED);
  finished.set(database, known);
  known.set(opId, true);
}

/** Whether this process has noted that; false also for work of others, and after a restart. */
export const isFinished = (database: Connection, opId: string): boolean => finished.get(database)?.get(opId) ?? false;

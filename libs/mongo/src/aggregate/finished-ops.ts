import { Recent } from '@swim/platform';
import type { Connection } from 'mongoose';
import type { DoneOp } from './aggregate.js';

const REMEMBERED = 4_000;

/** Seeds by database: one process may serve several. */
const finished = new WeakMap<Connection, Recent<true>>();

/**
 * Notes that the answer of work is stored with its idempotency record, of which it was the only run: no run of this record repeats
 * the work, and none is late. Answers that are stored with documents are then no longer needed.
 * @param seed - of the record, which is unique.
 */
export function noteFinished(database: Connection, seed: string): void {
  const known = finished.get(database) ?? new Recent<true>(REMEMBERED);
  finished.set(database, known);
  known.set(seed, true);
}

/**
 * Whether there is work and `noteFinished` was called for the records of all of it: nobody needs its answers. Only a hint: false also for
 * work that another process has finished, and after a restart.
 */
export const areFinished = (database: Connection, ops: readonly DoneOp[]): boolean =>
  ops.length > 0 && ops.every(({ seed }) => seed !== null && (finished.get(database)?.get(seed) ?? false));

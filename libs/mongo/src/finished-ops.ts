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
 * Whether `noteFinished` was called for the record of this work. Only a hint: false also for work that another process has
 * finished, and after a restart.
 */
export const isFinished = (database: Connection, { seed }: DoneOp): boolean =>
  seed !== undefined && (finished.get(database)?.get(seed) ?? false);

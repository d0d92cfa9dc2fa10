import { explainStorageFault } from '@swim/mongo';
import { AppError } from '@swim/platform';

/** What became of a line: whether nobody is left in it, and what failed. */
export interface Round {
  nobodyWaits: boolean;
  failure?: unknown;
}

/**
 * Whether an offer failed for a reason that passes by itself, such as a claim of an interrupted run: the first in line is tried again
 * before the next is offered anything. An entry that fails for another reason does not hold up those behind it.
 */
export function isTemporary(failure: unknown): boolean {
  const error = failure instanceof AppError ? failure : explainStorageFault(failure);
  return error?.code === 'SERVER_ERROR' && error.reason !== 'internal';
}

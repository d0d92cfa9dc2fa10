import mongoose from 'mongoose';
import { isDuplicate } from '../commands/conditional-writes.js';
import { isPostgresDeadlock } from './ferretdb/postgres-errors.js';

const { mongo } = mongoose;
const WRITE_CONFLICT = 112;
const TRIES = 3;

/** Whether the database undid a write, and nothing but it, because it would have waited for another one forever. */
const isDeadlock = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && (error.code === WRITE_CONFLICT || isPostgresDeadlock(error));

/** Whether an insert met a concurrent write: a unique value was taken, or the insert was undone as a deadlock. */
export const isConflict = (error: Error): boolean => isDuplicate(error) || isDeadlock(error);

/** Repeats a write that was undone as a deadlock, by itself: `write` runs after `failed`, as long as it fails so. */
export async function retriedAlone<T>(failed: Error, write: () => Promise<T>): Promise<T | Error> {
  let error = failed;
  for (let attempt = 0; attempt < TRIES && isDeadlock(error); attempt++) {
    try {
      return await write();
    } catch (next) {
      error = next as Error;
    }
  }
  return error;
}

/**
 * Whether a batch failed before it was sent, because one of its writes cannot be encoded. An answer that cannot be decoded has
 * the same kind of error (a server may cut a value in its message within a character): then every write was executed.
 */
export function wasNotSent(error: unknown, writes: readonly object[]): boolean {
  const cause = (error as { errorResponse?: unknown }).errorResponse ?? error;
  if (cause instanceof mongo.MongoInvalidArgumentError) return true;
  return cause instanceof mongo.BSON.BSONError && !writes.every(isEncodable);
}

function isEncodable(write: object): boolean {
  try {
    mongo.BSON.serialize(write);
    return true;
  } catch {
    return false;
  }
}

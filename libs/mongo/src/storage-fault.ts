import { AppError } from '@swim/platform';
import mongoose from 'mongoose';

const {
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoServerError,
} = mongoose.mongo;

const OUT_OF_REACH = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  mongoose.Error.MongooseServerSelectionError,
];

// The offline engine answers that the PostgreSQL behind it is gone, or recovering, as a failure of its own.
const ENGINE_BEHIND_IS_GONE =
  /failed to connect|recovery mode|terminating connection|shutting down|unexpected EOF|conn closed|broken pipe/i;

/** Whether the database could not be reached: `unavailable`, to be tried again; null for every other failure. */
export function explainStorageFault(error: unknown): AppError | null {
  const gone =
    OUT_OF_REACH.some((kind) => error instanceof kind) ||
    (error instanceof MongoServerError && error.code !== 11_000 && ENGINE_BEHIND_IS_GONE.test(error.message));
  return gone ? new AppError('unavailable', { retryAfterSeconds: 1, cause: error }) : null;
}

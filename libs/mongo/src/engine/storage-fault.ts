import { AppError } from '@swim/platform';
import mongoose from 'mongoose';
import { isPostgresAway } from './ferretdb/postgres-errors.js';

const { mongo } = mongoose;
const { MongoServerError } = mongo;

const OUT_OF_REACH = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongoose.Error.MongooseServerSelectionError,
];

/** Codes of Node for a socket that broke: mostly, but not always, the driver wraps them in an error of its own. */
const SOCKET_BROKE = new Set<unknown>([
  // A name that is not known yet.
  'EAI_AGAIN',
  'ENOTFOUND',
  'ESERVFAIL',
  'ETIMEOUT',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
]);

// The driver does not export the class.
const NO_CONNECTION_FREE = 'MongoWaitQueueTimeoutError';

/** MongoDB's codes for a server that is unreachable, shutting down or no longer primary, as opposed to a wrong command. */
const AWAY = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  46, // LockBusy
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** An update whose command was executed, but nobody knows whether it was applied: as after a lost answer. */
export class UnknownOutcomeError extends Error {
  constructor() {
    super('It is unknown whether an update was applied.');
  }
}

const isOutOfReach = (error: unknown): boolean => {
  if (error instanceof UnknownOutcomeError || OUT_OF_REACH.some((kind) => error instanceof kind)) return true;
  if (SOCKET_BROKE.has((error as NodeJS.ErrnoException).code)) return true;
  if (!(error instanceof MongoServerError) || error.code === 11_000) return false;
  return AWAY.has(error.code) || isPostgresAway(error);
};

/**
 * The error that a storage failure means: `unavailable` when the storage could not be reached, `overloaded` when no connection
 * was free in time, both retryable; null for every other failure.
 */
export function explainStorageFault(error: unknown): AppError | null {
  if (error instanceof AppError || !(error instanceof Error)) return null;
  if (error.name === NO_CONNECTION_FREE) return new AppError('overloaded', { retryAfterSeconds: 1, cause: error });
  if (isOutOfReach(error)) return new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
  // The driver wraps the error that made a whole batch fail.
  return explainStorageFault((error as { errorResponse?: unknown }).errorResponse) ?? explainStorageFault(error.cause);
}

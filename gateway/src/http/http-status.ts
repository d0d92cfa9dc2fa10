import type { ErrorCode, Reason } from '@swim/contracts';

const BY_CODE: Record<ErrorCode, number> = {
  AUTHENTICATION_ERROR: 401,
  AUTHORIZATION_ERROR: 403,
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMIT_EXCEEDED: 429,
  SERVER_ERROR: 500,
};

// The exceptions of the contract, section HTTP.
const BY_REASON: ReadonlyMap<string, number> = new Map<Reason, number>([
  ['body_too_large', 413],
  ['unsupported_media_type', 415],
  ['headers_too_large', 431],
  ['idempotency_key_reused', 422],
  ['card_declined', 402],
  ['authentication_required', 402],
  ['method_not_allowed', 405],
  ['unavailable', 503],
  ['overloaded', 503],
  ['busy_retry', 503],
  ['deadline_exceeded', 504],
]);

/** HTTP status of an error. A reason of a newer service has the status of its code. */
export const httpStatusOf = (code: ErrorCode, reason: string): number => BY_REASON.get(reason) ?? BY_CODE[code];

/** Seconds for `Retry-After` where the error names none; null where a retry alone cannot succeed. */
export function defaultRetryAfterSeconds(status: number, reason: string): number | null {
  return status === 429 || status === 503 || reason.endsWith('_in_progress') ? 1 : null;
}

import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, REASONS } from '@swim/contracts';
import { defaultRetryAfterSeconds, httpStatusOf } from './http-status.js';

describe('the HTTP status of an error', () => {
  it('is that of its code, but for the exceptions of the contract', () => {
    const usual: Record<ErrorCode, number> = {
      AUTHENTICATION_ERROR: 401,
      AUTHORIZATION_ERROR: 403,
      VALIDATION_ERROR: 400,
      NOT_FOUND: 404,
      CONFLICT: 409,
      RATE_LIMIT_EXCEEDED: 429,
      SERVER_ERROR: 500,
    };
    const odd = Object.entries(REASONS).filter(([reason, { code }]) => httpStatusOf(code, reason) !== usual[code]);
    expect(Object.fromEntries(odd.map(([reason, { code }]) => [reason, httpStatusOf(code, reason)]))).toEqual({
      body_too_large: 413,
      unsupported_media_type: 415,
      headers_too_large: 431,
      idempotency_key_reused: 422,
      card_declined: 402,
      authentication_required: 402,
      method_not_allowed: 405,
      unavailable: 503,
      overloaded: 503,
      busy_retry: 503,
      deadline_exceeded: 504,
    });
  });

  it('of a reason that only a newer service knows is that of its code', () => {
    expect(httpStatusOf('CONFLICT', 'something_new')).toBe(409);
  });
});

describe('Retry-After', () => {
  it('has a default on 429, on 503 and while something else is in progress only', () => {
    const documented = Object.entries(REASONS).filter(
      ([reason, { code }]) => defaultRetryAfterSeconds(httpStatusOf(code, reason), reason) !== null,
    );
    expect(documented.map(([reason]) => reason).sort()).toEqual([
      'advance_in_progress',
      'authentication_attempts',
      'burst_limit',
      'busy_retry',
      'change_in_progress',
      'hourly_limit',
      'idempotency_in_progress',
      'overloaded',
      'replay_in_progress',
      'reset_in_progress',
      'sign_in_attempts',
      'unavailable',
    ]);
  });
});

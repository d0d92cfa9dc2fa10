import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Environment, Principal, Reason } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { clientAddress, networkOf } from './client-address.js';
import type { FailedAttempts } from './failed-attempts.js';
import type { KeyCache, Verdict } from './key-cache.js';

const BEARER = /^Bearer +([^\s]+) *$/i;
const COUNTED = new Set<Reason>(['malformed_key', 'unknown_key', 'revoked_key']);

interface Options {
  keys: KeyCache;
  attempts: FailedAttempts;
  trustedProxies: BlockList;
  /** The only environment that this host serves; undefined for both. */
  pinnedEnvironment: Environment | undefined;
}

/** Turns the Authorization header into a principal. */
export class Authenticator {
  constructor(private readonly options: Options) {}

  /**
   * Whom the request speaks for; at once when its key is known. Throws (or rejects with) one of the reasons of
   * AUTHENTICATION_ERROR, `authentication_attempts`, or `unavailable` when an unknown key can't be looked up.
   */
  authenticate(request: IncomingMessage): Principal | Promise<Principal> {
    const header = request.headers.authorization;
    if (header === undefined || header === '') throw new AppError('missing_key');
    const text = BEARER.exec(header)?.[1];
    if (text === undefined) throw this.refusal('malformed_key', request);
    const { pinnedEnvironment } = this.options;
    if (pinnedEnvironment && text.startsWith(pinnedEnvironment === 'live' ? 'swl_test_' : 'swl_live_'))
      throw new AppError('wrong_environment');
    const verdict = this.verdictOn(text, request);
    return verdict instanceof Promise
      ? verdict.then((told) => this.judge(told, request))
      : this.judge(verdict, request);
  }

  private verdictOn(text: string, request: IncomingMessage): Verdict | Promise<Verdict> {
    try {
      return this.options.keys.find(text);
    } catch (error) {
      throw error instanceof AppError ? this.refusal(error.reason, request) : error;
    }
  }

  private judge(verdict: Verdict, request: IncomingMessage): Principal {
    if ('refusal' in verdict) throw this.refusal(verdict.refusal, request);
    const { principal, allowlist } = verdict;
    if (allowlist && !allowlist.has(clientAddress(request, this.options.trustedProxies)))
      throw new AppError('address_not_allowed');
    return principal;
  }

  /** The refusal; a failed attempt too many is refused as such instead. A valid key never comes here. */
  private refusal(reason: Reason, request: IncomingMessage): AppError {
    if (COUNTED.has(reason)) this.options.attempts.note(networkOf(clientAddress(request, this.options.trustedProxies)));
    return new AppError(reason);
  }
}

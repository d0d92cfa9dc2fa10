import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Environment, Principal, Reason } from '@swim/contracts';
import { AppError, parseApiKey } from '@swim/platform';
import { clientAddress, networkOf } from './addresses.js';
import type { FailedAttempts } from './failed-attempts.js';
import type { KeyCache, Verdict } from './key-cache.js';
import type { LookUpTurns } from './look-up-turns.js';

const BEARER = /^Bearer +([^\s]+) *$/i;
const COUNTED = new Set<Reason>(['malformed_key', 'unknown_key', 'revoked_key']);

interface Options {
  keys: KeyCache;
  attempts: FailedAttempts;
  turns: LookUpTurns;
  trustedProxies: BlockList;
  /** The only environment that this host serves; undefined for both. */
  pinnedEnvironment: Environment | undefined;
}

/** The id of the key that a request presents, for the log: `key_…`, or undefined without a well-formed key. */
export function presentedKeyId({ headers }: IncomingMessage): string | undefined {
  const text = BEARER.exec(headers.authorization ?? '')?.[1];
  return text === undefined ? undefined : parseApiKey(text)?.keyId;
}

/** Turns the Authorization header into a principal. */
export class Authenticator {
  constructor(private readonly options: Options) {}

  /**
   * The principal of the request; at once when its key is cached. Throws (or rejects with) one of the reasons of
   * AUTHENTICATION_ERROR, `authentication_attempts`, or `unavailable` when an unknown key can't be looked up.
   */
  authenticate(request: IncomingMessage): Principal | Promise<Principal> {
    const header = request.headers.authorization;
    if (header === undefined || header === '') throw new AppError('missing_key');
    const text = BEARER.exec(header)?.[1];
    if (text === undefined) throw this.rejection('malformed_key', request);
    const { pinnedEnvironment } = this.options;
    if (pinnedEnvironment && text.startsWith(pinnedEnvironment === 'live' ? 'swl_test_' : 'swl_live_'))
      throw new AppError('wrong_environment');
    const verdict = this.verdictOn(text, request);
    return verdict instanceof Promise
      ? verdict.then((found) => this.principalOf(found, request))
      : this.principalOf(verdict, request);
  }

  /**
   * The principal of a request that `authenticate` has accepted, as its key is now. Throws the same errors; none counts as an
   * attempt of the client.
   */
  async reauthenticate(request: IncomingMessage): Promise<Principal> {
    const text = BEARER.exec(request.headers.authorization!)![1]!;
    const principal = this.acceptedBy(await this.options.keys.find(text), request);
    if (principal.mayOnlyRepeatRoll) throw new AppError('expired_key');
    return principal;
  }

  private verdictOn(text: string, request: IncomingMessage): Verdict | Promise<Verdict> {
    try {
      return this.options.keys.find(text, (lookUp) => this.inTurn(lookUp, request));
    } catch (error) {
      throw error instanceof AppError ? this.rejection(error.reason, request) : error;
    }
  }

  private inTurn(lookUp: () => Promise<Verdict>, request: IncomingMessage): Promise<Verdict> {
    const network = networkOf(clientAddress(request, this.options.trustedProxies));
    return this.options.turns.run(network, lookUp, (verdict) => 'rejection' in verdict);
  }

  private principalOf(verdict: Verdict, request: IncomingMessage): Principal {
    if ('rejection' in verdict) throw this.rejection(verdict.rejection, request);
    return this.acceptedBy(verdict, request);
  }

  private acceptedBy(verdict: Verdict, request: IncomingMessage): Principal {
    if ('rejection' in verdict) throw new AppError(verdict.rejection);
    const { principal, allowlist } = verdict;
    if (allowlist && !allowlist.has(clientAddress(request, this.options.trustedProxies)))
      throw new AppError('address_not_allowed');
    return principal;
  }

  /** The error to throw. Counts a failed attempt, and throws `authentication_attempts` when there were too many. */
  private rejection(reason: Reason, request: IncomingMessage): AppError {
    if (COUNTED.has(reason)) this.options.attempts.note(networkOf(clientAddress(request, this.options.trustedProxies)));
    return new AppError(reason);
  }
}

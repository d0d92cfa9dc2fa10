import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Environment, Principal, Reason } from '@swim/contracts';
import { AppError, type PresentedKey, parseCookieToken } from '@swim/platform';
import { clientAddress, networkOf } from '../authentication/addresses.js';
import type { FailedAttempts } from '../authentication/failed-attempts.js';
import type { KeyCache, Verdict } from '../authentication/key-cache.js';
import type { LookUpTurns } from '../authentication/look-up-turns.js';
import { cookieOf, SESSION_COOKIE } from './cookies.js';

/** The header by which a page of the dashboard names the environment of a request. */
const ENVIRONMENT_HEADER = 'swim-environment';
/** The header by which it names the account that it shows. */
const ACCOUNT_HEADER = 'swim-account';
const ENVIRONMENTS_OF_HEADER: Readonly<Record<string, Environment>> = { live: 'live', sandbox: 'test' };

interface Options {
  /** Verdicts on sessions: one for each environment, under the text of `sessionText`. */
  sessions: KeyCache;
  attempts: FailedAttempts;
  turns: LookUpTurns;
  trustedProxies: BlockList;
  /** The only environment that this host serves; undefined for both. */
  pinnedEnvironment: Environment | undefined;
}

const sessionText = (env: Environment, token: string): string => `${env}:${token}`;

/** Parses the text under which the verdict on a session is cached. */
export function parseSessionText(text: string): PresentedKey | null {
  const [env, token] = text.split(':') as [Environment, string];
  const presented = parseCookieToken('uss', token);
  return presented && { env, keyId: presented.id, digest: presented.digest };
}

// A session whose sandbox is gone goes on in live.
const errorOf = (rejection: Reason): AppError =>
  new AppError(rejection === 'sandbox_erased' ? rejection : 'session_ended');

/** The principal, if a page that names the account it shows names this one: another page may have switched the session. Throws `account_switched`. */
function ofShownAccount(principal: Principal, { headers: { [ACCOUNT_HEADER]: shown } }: IncomingMessage): Principal {
  if (shown !== undefined && shown !== principal.accountId) throw new AppError('account_switched');
  return principal;
}

/** Turns the cookie of a session into a principal: the rights of its user in an environment. */
export class SessionAuthenticator {
  constructor(private readonly options: Options) {}

  /** Whether a request of the API without a key is one of the dashboard: it has the cookie, and names an environment. */
  isOfDashboard(request: IncomingMessage): boolean {
    const { authorization, [ENVIRONMENT_HEADER]: environment } = request.headers;
    return authorization === undefined && environment !== undefined && cookieOf(request, SESSION_COOKIE) !== null;
  }

  /** The environment that a request names. Throws `invalid_value`, `wrong_environment`. */
  environmentOf({ headers }: IncomingMessage): Environment {
    const env = ENVIRONMENTS_OF_HEADER[String(headers[ENVIRONMENT_HEADER])];
    if (env === undefined) {
      const message = 'Swim-Environment must be one of live, sandbox.';
      throw new AppError('invalid_value', {
        field: 'Swim-Environment',
        message,
        details: { allowed: ['live', 'sandbox'] },
      });
    }
    const { pinnedEnvironment } = this.options;
    if (pinnedEnvironment && pinnedEnvironment !== env) throw new AppError('wrong_environment');
    return env;
  }

  /** The principal of the request's user; at once when it is cached. Throws `session_ended`, `authentication_attempts`. */
  authenticate(request: IncomingMessage, env: Environment): Principal | Promise<Principal> {
    const token = cookieOf(request, SESSION_COOKIE);
    if (token === null || !parseCookieToken('uss', token)) throw new AppError('session_ended');
    const verdict = this.options.sessions.find(sessionText(env, token), (lookUp) => this.inTurn(lookUp, request));
    return verdict instanceof Promise
      ? verdict.then((found) => this.principalOf(found, request))
      : this.principalOf(verdict, request);
  }

  /** The principal of a request that `authenticate` has accepted, as the session is now. */
  async reauthenticate(request: IncomingMessage, env: Environment): Promise<Principal> {
    const verdict = await this.options.sessions.find(sessionText(env, cookieOf(request, SESSION_COOKIE)!));
    if ('rejection' in verdict) throw errorOf(verdict.rejection);
    return verdict.principal;
  }

  private inTurn(lookUp: () => Promise<Verdict>, request: IncomingMessage): Promise<Verdict> {
    return this.options.turns.run(this.networkOf(request), lookUp, (verdict) => 'rejection' in verdict);
  }

  private principalOf(verdict: Verdict, request: IncomingMessage): Principal {
    if (!('rejection' in verdict)) return ofShownAccount(verdict.principal, request);
    // Sessions that ended are no guesses: a page that was left open tries again by itself.
    if (verdict.rejection === 'unknown_key') this.options.attempts.note(this.networkOf(request));
    throw errorOf(verdict.rejection);
  }

  private networkOf(request: IncomingMessage): string {
    return networkOf(clientAddress(request, this.options.trustedProxies));
  }
}

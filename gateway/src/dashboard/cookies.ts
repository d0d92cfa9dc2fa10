import type { IncomingMessage } from 'node:http';
import type { CookieChanges, IdPrefix } from '@swim/contracts';
import { type PresentedToken, parseCookieToken } from '@swim/platform';

/** The cookie of a signed-in user. `__Host-`: set by this host over TLS, for no other host (RFC 6265bis section 4.1.3.2). */
export const SESSION_COOKIE = '__Host-swim_session';
/** The cookie between the password and the second factor. */
const SECOND_FACTOR_COOKIE = '__Host-swim_second_factor';

// No script reads it, and no other site's page sends it along with a write.
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The value of a cookie of a request; null without one. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | null {
  const start = `${name}=`;
  const pair = headers.cookie?.split(';').find((each) => each.trimStart().startsWith(start));
  return pair === undefined ? null : pair.trim().slice(start.length);
}

const presented = (request: IncomingMessage, name: string, prefix: IdPrefix): PresentedToken | null => {
  const value = cookieOf(request, name);
  return value === null ? null : parseCookieToken(prefix, value);
};

/** The session that a request names, before it is verified; null without a well-formed cookie. */
export const presentedSession = (request: IncomingMessage): PresentedToken | null =>
  presented(request, SESSION_COOKIE, 'uss');

/** The sign-in that a request is to complete; null without a well-formed cookie. */
export const presentedSignIn = (request: IncomingMessage): PresentedToken | null =>
  presented(request, SECOND_FACTOR_COOKIE, 'usi');

interface Cookie {
  token: string;
  keptSeconds: number | null;
}

function headerOf(name: string, cookie: Cookie | null): string {
  if (cookie === null) return `${name}=; ${ATTRIBUTES}; Max-Age=0`;
  const age = cookie.keptSeconds === null ? '' : `; Max-Age=${cookie.keptSeconds}`;
  return `${name}=${cookie.token}; ${ATTRIBUTES}${age}`;
}

/** The headers that set and remove cookies: names and values in turns. */
export function cookieHeaders({ session, secondFactor }: CookieChanges): string[] {
  const headers: string[] = [];
  if (session !== undefined) headers.push('Set-Cookie', headerOf(SESSION_COOKIE, session));
  if (secondFactor !== undefined) headers.push('Set-Cookie', headerOf(SECOND_FACTOR_COOKIE, secondFactor));
  return headers;
}

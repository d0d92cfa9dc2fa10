import type { IncomingMessage } from 'node:http';
import { type CookieChanges, type IdPrefix, MOST_DEVICES } from '@swim/contracts';
import { type PresentedToken, parseCookieToken } from '@swim/platform';

/** The cookie of a signed-in user. `__Host-`: set by this host over TLS, for no other host (RFC 6265bis section 4.1.3.2). */
export const SESSION_COOKIE = '__Host-swim_session';
/** The cookie between the password and the second factor. */
const SECOND_FACTOR_COOKIE = '__Host-swim_second_factor';

/** The cookie by which a browser is known in which users have signed in: the token of each. */
const DEVICE_COOKIE = '__Host-swim_device';
// The longest that browsers keep cookies.
const DEVICE_KEPT_SECONDS = 400 * 86_400;
const LONGEST_DEVICE = 300;

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

/** The tokens by which a browser is known, the latest sign-in first. */
export const presentedDevices = (request: IncomingMessage): string[] =>
  (cookieOf(request, DEVICE_COOKIE)?.split('~') ?? [])
    .filter(({ length }) => length <= LONGEST_DEVICE)
    .slice(0, MOST_DEVICES);

// A token is `device.usr_….….…`: the user has one only.
function withDevice(token: string, former: readonly string[]): Cookie {
  const userOf = (each: string) => each.split('.')[1];
  const others = former.filter((each) => userOf(each) !== userOf(token));
  return { token: [token, ...others].slice(0, MOST_DEVICES).join('~'), keptSeconds: DEVICE_KEPT_SECONDS };
}

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
export function cookieHeaders(
  { session, secondFactor, device }: CookieChanges,
  formerDevices: readonly string[] = [],
): string[] {
  const headers: string[] = [];
  if (session !== undefined) headers.push('Set-Cookie', headerOf(SESSION_COOKIE, session));
  if (secondFactor !== undefined) headers.push('Set-Cookie', headerOf(SECOND_FACTOR_COOKIE, secondFactor));
  if (device !== undefined) headers.push('Set-Cookie', headerOf(DEVICE_COOKIE, withDevice(device, formerDevices)));
  return headers;
}

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { confirmSession, type Operation, SCOPES, verifyUserSession } from '@swim/contracts';
import { newCookieToken, newId, sharedClock } from '@swim/platform';
import { ofSeveralTries, until } from '@swim/testing';
import { DASHBOARD_ROUTES } from '../../src/dashboard/routes.js';
import { BASE_PATH, ROUTES } from '../../src/routes.js';
import { expectError } from '../fixtures/expectations.js';
import {
  type Answered,
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  startHarness,
} from '../fixtures/harness.js';

const TEN_MINUTES_MS = 600_000;
const PASSKEY = { id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {} };
const REGISTRATION = { ...PASSKEY, response: { clientDataJSON: 'a', attestationObject: 'a' } };

/** All that a cookie alone may not do, each with a sound body. */
const DANGEROUS: Readonly<Record<string, object | undefined>> = {
  'PATCH /v1/accounts/{account_id}': { email: 'other@example.test' },
  'DELETE /v1/accounts/{account_id}': undefined,
  'POST /v1/accounts/{account_id}/keys': { name: 'Till' },
  'PATCH /v1/accounts/{account_id}/keys/{key_id}': { ip_allowlist: [] },
  'POST /v1/accounts/{account_id}/keys/{key_id}/roll': {},
  'PATCH /dashboard/api/me/password': { password: 'a sentence to remember' },
  'POST /dashboard/api/totp': {},
  'POST /dashboard/api/totp/confirm': { code: '123456' },
  'DELETE /dashboard/api/totp': undefined,
  'POST /dashboard/api/recovery-codes': {},
  'POST /dashboard/api/passkeys/options': {},
  'POST /dashboard/api/passkeys': { name: 'Laptop', response: REGISTRATION },
  'DELETE /dashboard/api/passkeys/{passkey_id}': undefined,
  'PATCH /dashboard/api/users/{user_id}': { role: 'owner' },
  'DELETE /dashboard/api/users/{user_id}': undefined,
  'POST /dashboard/api/invitations': { email: 'guest@example.test', role: 'owner' },
};
const MARKED = [...ROUTES, ...DASHBOARD_ROUTES].filter(({ needsConfirmation }) => needsConfirmation !== undefined);
const lineOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

let harness: GatewayHarness;
let gateway: GatewayProcess;
const accountId = newId('acct');
/** Until when each session counts as confirmed, by the digest of its cookie. */
const confirmedUntil = new Map<string, number>();

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  harness.services.answer(verifyUserSession, ({ input }) => {
    const userId = newId('usr');
    const endsAt = new Date(confirmedUntil.get(input.digest as string)!).toISOString();
    const principal = { accountId, kind: 'school', env: input.env, keyId: userId, userId, scopes: SCOPES };
    return { principal: { ...principal, confirmedUntil: endsAt }, expiresAt: null, ipAllowlist: [] };
  });
  for (const { operation } of MARKED) harness.services.answer(operation, () => ({ cookies: {}, data: {} }));
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => harness?.stop());

/** The cookie of a session that counts as confirmed for so long. */
function cookieFor(ms: number, id = newId('uss')): { cookie: string; token: string } {
  const { token, digest } = newCookieToken(id);
  confirmedUntil.set(digest, sharedClock.nowMs() + ms);
  return { cookie: `__Host-swim_session=${token}`, token };
}
const fresh = () => cookieFor(TEN_MINUTES_MS).cookie;
const stale = () => cookieFor(0).cookie;

function send(cookie: string, line: string, body = DANGEROUS[line], environment = 'live'): Promise<Answered> {
  const [method, pattern] = line.split(' ') as [string, string];
  const ids = { account_id: accountId, key_id: newId('key'), user_id: newId('usr'), passkey_id: newId('psk') };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
  const page = { origin: gateway.origin, 'swim-dashboard': '1', 'swim-environment': environment };
  return gateway.send(method, path, { body, headers: { cookie, ...page } });
}

const CREATE_KEY = 'POST /v1/accounts/{account_id}/keys';
const requestsOf = (operation: Operation) => harness.services.requestsOf(operation).length;

it('all that a cookie alone may not do is marked in the tables of routes, and nothing else', () => {
  expect(MARKED.map(lineOf).sort()).toEqual(Object.keys(DANGEROUS).sort());
});

describe.each(MARKED.map((route) => [lineOf(route), route] as const))('%s', (line, { operation }) => {
  it('is rejected with a cookie that is not confirmed any more: confirmation_required, which keeps it', async () => {
    const before = requestsOf(operation);
    const answer = await send(stale(), line);
    expectError(answer, 403, 'confirmation_required');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(requestsOf(operation)).toBe(before);
  });

  it('is carried out with one that is', async () => {
    const { status, text } = await send(fresh(), line);
    expect(status < 300 ? 'carried out' : text).toBe('carried out');
  });
});

describe.each(MARKED.filter(({ path }) => path.startsWith(BASE_PATH)).map(lineOf))('%s', (line) => {
  it('is carried out in the sandbox with any cookie', async () => {
    expect((await send(stale(), line, DANGEROUS[line], 'sandbox')).status).toBeLessThan(300);
  });

  it('is carried out with an API key', async () => {
    const { text } = harness.services.key({ principal: { accountId, env: 'live', kind: 'school' } });
    const [method, pattern] = line.split(' ') as [string, string];
    const path = pattern.replace('{account_id}', accountId).replace('{key_id}', newId('key'));
    expect((await gateway.send(method, path, { key: text, body: DANGEROUS[line] })).status).toBeLessThan(300);
  });
});

describe('a change', () => {
  it.each(['PATCH /v1/accounts/{account_id}', 'PATCH /v1/accounts/{account_id}/keys/{key_id}'])(
    'of the name alone needs no confirmation: %s',
    async (line) => {
      expect((await send(stale(), line, { name: 'Another' })).status).toBe(200);
      expectError(await send(stale(), line, { name: 'Another', ...DANGEROUS[line] }), 403, 'confirmation_required');
    },
  );

  it('that is wrong is rejected before its user is asked', async () => {
    expectError(await send(stale(), CREATE_KEY, {}), 400, 'required', 'name');
  });
});

describe('a confirmation', () => {
  it('counts at once, also where the session was rejected before', async () => {
    const id = newId('uss');
    const before = cookieFor(0, id);
    expectError(await send(before.cookie, CREATE_KEY), 403, 'confirmation_required');
    const after = cookieFor(TEN_MINUTES_MS, id);
    const session = { token: after.token, keptSeconds: null };
    harness.services.answer(confirmSession, () => ({ cookies: { session }, data: {} }));
    const answer = await send(before.cookie, 'POST /dashboard/api/confirmation', { password: 'a sentence' });
    expect(answer.headers.get('set-cookie')).toContain(after.cookie);
    expect((await send(after.cookie, CREATE_KEY)).status).toBe(201);
    expectError(await send(before.cookie, CREATE_KEY), 403, 'confirmation_required');
  });

  it('ends after ten minutes by the clock of people, although the verdict on the session is cached', async () => {
    const realMs = sharedClock.nowMs.bind(sharedClock);
    let passedMs = 0;
    jest.spyOn(sharedClock, 'nowMs').mockImplementation(() => realMs() + passedMs);
    // A gateway that receives nothing for a second verifies each session again.
    await ofSeveralTries(async () => {
      const cookie = fresh();
      expect((await send(cookie, CREATE_KEY)).status).toBe(201);
      const verified = requestsOf(verifyUserSession);
      passedMs += TEN_MINUTES_MS - 30_000;
      // Each reply of people moves the clock of the gateway.
      for (let time = 0; time < 2; time++) expect((await send(cookie, CREATE_KEY)).status).toBe(201);
      passedMs += 30_000;
      // The next reply may be that to this request, or an earlier one to a request of the gateway's own.
      const isRejected = async () => (await send(cookie, CREATE_KEY)).status === 403;
      await until(isRejected, 'the confirmation has ended');
      expectError(await send(cookie, CREATE_KEY), 403, 'confirmation_required');
      expect(requestsOf(verifyUserSession)).toBe(verified);
    });
  });
});

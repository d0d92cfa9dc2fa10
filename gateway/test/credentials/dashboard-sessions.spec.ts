import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSessions, type Reason, requestSignInLink, verifyUserSession } from '@swim/contracts';
import { AppError, newCookieToken, newId } from '@swim/platform';
import { aPrincipal } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, startHarness } from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway();
  harness.services.answer(listSessions, () => onePage([]));
});
afterAll(() => harness?.stop());

/** The answer to a new cookie of which people says this. */
function sendRejected(reason: Reason) {
  harness.services.answer(verifyUserSession, () => {
    throw new AppError(reason);
  });
  const cookie = `__Host-swim_session=${newCookieToken(newId('uss')).token}`;
  return gateway.send('GET', '/v1/sessions', { headers: { cookie, 'swim-environment': 'sandbox' } });
}

/** The reason for which a write from a page of an origin is rejected; undefined where it reaches the service. */
async function reasonFrom(pageOf: (at: GatewayProcess) => string, publicUrl: string): Promise<string | undefined> {
  const at = await harness.gateway({ PUBLIC_URL: publicUrl });
  harness.services.answer(requestSignInLink, () => ({ status: 'link_sent' as const }));
  const headers = { origin: pageOf(at), 'swim-dashboard': '1' };
  const answer = await at.send('POST', '/dashboard/api/sign-in/link/request', {
    body: { email: 'a@example.test' },
    headers,
  });
  return answer.body.error?.details.reason;
}

describe('a write from a page', () => {
  const sameHost = (at: GatewayProcess) => at.origin;

  it('is accepted from PUBLIC_URL, and from the host of the request with its scheme', async () => {
    expect(await reasonFrom(() => 'https://pool.example', 'https://pool.example')).toBeUndefined();
    expect(await reasonFrom(sameHost, 'http://pool.example')).toBeUndefined();
    expect(await reasonFrom((at) => at.origin.replace('http:', 'https:'), 'https://pool.example')).toBeUndefined();
  });

  it('is rejected from the same host without TLS where PUBLIC_URL has TLS: csrf_rejected', async () => {
    expect(await reasonFrom(() => 'http://pool.example', 'https://pool.example')).toBe('csrf_rejected');
    expect(await reasonFrom(sameHost, 'https://pool.example')).toBe('csrf_rejected');
  });
});

describe('a request with the cookie of the dashboard', () => {
  it('is rejected, and its cookie removed, when the session has ended', async () => {
    for (const reason of ['revoked_key', 'expired_key', 'unknown_key'] as const) {
      const answer = await sendRejected(reason);
      expectError(answer, 401, 'session_ended');
      expect(answer.headers.get('set-cookie')).toMatch(/^__Host-swim_session=;.*Max-Age=0/);
    }
  });

  it('is rejected when its page shows another account than the session has: account_switched', async () => {
    const principal = aPrincipal({ userId: newId('usr'), scopes: ['sessions:read'] });
    harness.services.answer(verifyUserSession, () => ({ principal, expiresAt: null, ipAllowlist: [] }));
    const cookie = `__Host-swim_session=${newCookieToken(newId('uss')).token}`;
    const sendFrom = (shown: string) =>
      gateway.send('GET', '/v1/sessions', {
        headers: { cookie, 'swim-environment': 'sandbox', 'swim-account': shown },
      });
    expectError(await sendFrom(newId('acct')), 403, 'account_switched');
    expect((await sendFrom(principal.accountId)).status).toBe(200);
  });

  it('keeps its cookie when only the sandbox was erased', async () => {
    const answer = await sendRejected('sandbox_erased');
    expectError(answer, 403, 'sandbox_erased');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSessions, type Reason, verifyUserSession } from '@swim/contracts';
import { AppError, newCookieToken, newId } from '@swim/platform';
import { expectError } from './expectations.js';
import { onePage } from './fake-services.js';
import { type GatewayHarness, type GatewayProcess, startHarness } from './harness.js';

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

describe('a request with the cookie of the dashboard', () => {
  it('is rejected, and its cookie removed, when the session has ended', async () => {
    for (const reason of ['revoked_key', 'expired_key', 'unknown_key'] as const) {
      const answer = await sendRejected(reason);
      expectError(answer, 401, 'session_ended');
      expect(answer.headers.get('set-cookie')).toMatch(/^__Host-swim_session=;.*Max-Age=0/);
    }
  });

  it('keeps its cookie when only the sandbox was erased', async () => {
    const answer = await sendRejected('sandbox_erased');
    expectError(answer, 403, 'sandbox_erased');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

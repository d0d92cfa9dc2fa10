import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportAccount, listBookings, listOwnPools, listSessions, type Reason, SCOPES } from '@swim/contracts';
import { keySubject } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { until } from '@swim/testing';
import { EXPORT_PARTS } from '../../src/operations/account-export.js';
import { onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  harness.services.answer(exportAccount, () => ({ account: { name: 'Ana' } }));
  for (const { operation } of EXPORT_PARTS) harness.services.answer(operation, () => onePage([]));
});
afterAll(() => harness?.stop());

function exported() {
  const { text: key, principal } = harness.services.key();
  return gateway.send('GET', `/v1/accounts/${principal.accountId}/export`, { key });
}

describe('an export of an account', () => {
  it.each<Reason>(['unavailable', 'overloaded', 'deadline_exceeded'])(
    'is whole when a page of it was once rejected as %s',
    async (reason) => {
      let requests = 0;
      harness.services.answer(listBookings, () => {
        requests += 1;
        if (requests === 1) throw new AppError(reason);
        return onePage([{ id: 'bkg_1' }]);
      });
      const { status, body } = await exported();
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: { bookings: [{ id: 'bkg_1' }], webhook_deliveries: [] } });
      expect(requests).toBe(2);
    },
  );

  it('breaks off when its key is revoked between two pages', async () => {
    const { text: key, principal } = harness.services.key();
    const { accountId, keyId, env } = principal;
    harness.services.answer(listOwnPools, async () => {
      harness.services.change(key, { rejection: 'revoked_key' });
      const invalidation = JSON.stringify({ keyId, revoked: true });
      await harness.services.connection.request(keySubject(env, keyId), invalidation, { timeout: 5_000 });
      await until(async () => (await gateway.send('GET', '/v1/bookings', { key })).status === 401, 'it is revoked');
      return onePage([]);
    });
    let requests = 0;
    harness.services.answer(listSessions, () => {
      requests += 1;
      return onePage([]);
    });
    await expect(gateway.send('GET', `/v1/accounts/${accountId}/export`, { key })).rejects.toThrow();
    expect(requests).toBe(0);
  });

  it('is rejected to a user of the dashboard whose role cannot read the team: missing_scope', async () => {
    const scopes = SCOPES.filter((each) => each.endsWith(':read') || each === 'members:medical');
    const { text: key, principal } = harness.services.key({ principal: { userId: newId('usr'), scopes } });
    const { status, body } = await gateway.send('GET', `/v1/accounts/${principal.accountId}/export`, { key });
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: { details: { reason: 'missing_scope', scope: 'accounts:write' } } });
  });

  it('breaks off at an error that will not pass', async () => {
    let requests = 0;
    harness.services.answer(listOwnPools, () => {
      requests += 1;
      throw new AppError('internal');
    });
    await expect(exported()).rejects.toThrow();
    expect(requests).toBe(1);
  });
});

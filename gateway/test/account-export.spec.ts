import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportAccount, listBookings, listOwnPools, type Reason } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { EXPORT_PARTS } from '../src/operations/account-export.js';
import { onePage } from './fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from './harness.js';

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

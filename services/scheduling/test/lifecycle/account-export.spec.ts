import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, listOwnPools } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const pool = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };

describe('the pools of an export', () => {
  it('are the school’s own, newest first', async () => {
    const [own, other] = [aPrincipal({ kind: 'school' }), aPrincipal({ kind: 'school' })];
    const make = (principal: typeof own) =>
      scheduling.harness.call(createPool, pool, { principal, idempotencyKey: newId('req') });
    const [first, , second] = [await make(own), await make(other), await make(own)];
    const { items } = await scheduling.harness.call(listOwnPools, { account_id: own.accountId }, { principal: own });
    expect(items).toEqual([second, first]);
  });

  it('rejects another account: foreign_account', async () => {
    const requested = scheduling.harness.call(listOwnPools, { account_id: aPrincipal().accountId }, {});
    expect(await reasonOf(requested)).toBe('foreign_account');
  });
});

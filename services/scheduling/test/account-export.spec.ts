import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHold, createPool, listOwnHolds, listOwnPools } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf } from '@swim/testing';
import { type SchedulingHarness, startScheduling } from './harness.js';

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

describe('the holds of an export', () => {
  it('lists the holds that the account sees', async () => {
    const principal = aPrincipal();
    const hold = (member: string, options: object) => {
      const times = { sessions: [{ date: inDays(20), duration_minutes: 30 }], expires_in_minutes: 30 };
      const whom = { instructor_id: scheduling.people.instructor(), member_ids: [member] };
      return scheduling.harness.call(createHold, { ...whom, ...times }, options);
    };
    const own = await hold(scheduling.people.member(principal.accountId), { principal });
    await hold(scheduling.people.member(), {});
    const { items } = await scheduling.harness.call(listOwnHolds, { account_id: principal.accountId }, { principal });
    expect(items.map(({ id }) => id)).toEqual([own.id]);
  });

  it('rejects another account: foreign_account', async () => {
    const requested = scheduling.harness.call(listOwnHolds, { account_id: aPrincipal().accountId }, {});
    expect(await reasonOf(requested)).toBe('foreign_account');
  });
});

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getAccount, type Principal, restoreAccount, updateAccount } from '@swim/contracts';
import { type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';
import { Erasures, OTHERS } from './erasures.js';

const DAY_MS = 86_400_000;

let people: PeopleHarness;
let erasures: Erasures;

beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = '50';
  people = await startPeople();
  erasures = new Erasures(people);
  for (const operation of OTHERS) people.harness.serve(operation, () => ({ done: true }));
});
afterAll(() => people?.stop());

const anAccount = () => erasures.anAccount({ env: 'live' });
const erase = (principal: Principal) => erasures.erase(principal);
const restore = (principal: Principal, options: RequestOptions = {}) => erasures.restore(principal, options);
const stored = (collection: string, filter: object) => erasures.stored(collection, filter, 'live');
const isErased = (principal: Principal) => erasures.isErased(principal);

describe('DELETE of a live account', () => {
  const closing = (principal: Principal, erases_at: string): RequestOptions => ({
    principal: { ...principal, closing: erases_at },
  });

  it('closes it for seven days, in which reads and writes are rejected: account_closing', async () => {
    const family = await anAccount();
    const account_id = family.accountId;
    const { erases_at } = await erase(family);
    expect(Date.parse(erases_at) - people.clock.now().getTime()).toBe(7 * DAY_MS);
    people.clock.advance(DAY_MS);
    expect(await erase(family)).toEqual({ erases_at });
    expect(await people.harness.call(getAccount, { account_id }, closing(family, erases_at))).toMatchObject({
      id: account_id,
    });
    const write = people.harness.call(
      updateAccount,
      { account_id, changes: { name: 'New' } },
      closing(family, erases_at),
    );
    expect(await rejectionOf(write)).toMatchObject({ reason: 'account_closing', details: { erases_at } });
    expect(await stored('erasures', { _id: account_id })).toEqual([]);
  });

  it('repeats the stored answer of a write before it, and rejects new ones until a restore', async () => {
    const family = await anAccount();
    const account_id = family.accountId;
    const rename = (name: string, options: RequestOptions) =>
      people.harness.call(updateAccount, { account_id, changes: { name } }, { principal: family, ...options });
    const [former, later] = [{ idempotencyKey: 'before' }, { idempotencyKey: 'during' }];
    const renamed = await rename('Before', former);
    const { erases_at } = await erase(family);
    const during = closing(family, erases_at);
    expect(await rename('Before', { ...former, ...during })).toEqual(renamed);
    expect((await rejectionOf(rename('During', { ...later, ...during }))).reason).toBe('account_closing');
    await restore(family, during);
    expect(await rename('During', later)).toMatchObject({ name: 'During' });
  });

  it('is undone by a restore: the account may write and is not erased', async () => {
    const family = await anAccount();
    const account_id = family.accountId;
    const { erases_at } = await erase(family);
    people.clock.advance(6 * DAY_MS);
    expect(await restore(family, closing(family, erases_at))).toMatchObject({ id: account_id, name: 'The family' });
    people.clock.advance(2 * DAY_MS);
    const other = await anAccount();
    await erase(other);
    people.clock.advance(7 * DAY_MS);
    await isErased(other);
    expect(await stored('accounts', { _id: account_id })).toMatchObject([{ name: 'The family' }]);
    const changes = { name: 'New' };
    expect(await people.harness.call(updateAccount, { account_id, changes }, { principal: family })).toMatchObject(
      changes,
    );
  });

  it('erases it after seven days; then a restore is rejected: invalid_state, resource_not_found', async () => {
    const family = await anAccount();
    await erase(family);
    people.clock.advance(7 * DAY_MS);
    expect((await rejectionOf(restore(family))).reason).toBe('invalid_state');
    await isErased(family);
    expect((await rejectionOf(restore(family))).reason).toBe('resource_not_found');
  });

  it('begins the erasure of every due account, also where that of an earlier one fails, which is retried', async () => {
    const { ErasuresRepository } = await import('../../src/lifecycle/erasure/erasures.repository.js');
    const erasures = people.service.app.get(ErasuresRepository, { strict: false });
    const [failing, other] = [await anAccount(), await anAccount()];
    let failures = 0;
    const begin = jest.spyOn(erasures, 'begin').mockImplementation(async (id, at) => {
      if (id !== failing.accountId) return ErasuresRepository.prototype.begin.call(erasures, id, at);
      failures++;
      throw new Error('This one fails.');
    });
    try {
      for (const account of [failing, other]) await erase(account);
      people.clock.advance(7 * DAY_MS);
      await isErased(other);
      await until(() => failures > 1, 'the failing one is retried');
      expect(await stored('erasures', { _id: failing.accountId })).toEqual([]);
    } finally {
      begin.mockRestore();
    }
    await isErased(failing);
  });

  it('rejects the restore of an open account: invalid_state', async () => {
    expect((await rejectionOf(restore(await anAccount()))).reason).toBe('invalid_state');
  });

  it('rejects the restore of another account: foreign_account', async () => {
    const rejected = people.harness.call(restoreAccount, { account_id: people.otherFamily.accountId }, {});
    expect((await rejectionOf(rejected)).reason).toBe('foreign_account');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listKeys, updateKey } from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { type KeyHarness, startKeys } from '../key-harness.js';

let keys: KeyHarness;
beforeAll(async () => {
  keys = await startKeys();
});
afterAll(() => keys?.stop());

const list = (query = {}, principal = keys.owner) =>
  keys.harness.call(listKeys, { account_id: principal.accountId, ...query }, { principal });

describe('listing keys', () => {
  it('pages through those of the account, newest first, in every status', async () => {
    const principal = keys.ownerOfFamily;
    const made = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await keys.mint({ name }, principal)).id);
    await keys.stored().updateOne({ _id: made[0]! }, { $set: { revokedAt: new Date() } });
    const first = await list({ limit: 2 }, principal);
    expect(first.pagination).toMatchObject({ has_more: true, total: 4 });
    const rest = await list({ limit: 2, cursor: first.pagination.next_cursor! }, principal);
    const all = [...first.items, ...rest.items];
    expect(all.map(({ id }) => id)).toEqual([...made, principal.keyId]);
    expect(all.map(({ status }) => status)).toEqual(['revoked', 'active', 'active', 'active']);
    expect(all.every((key) => !('key' in key))).toBe(true);
  });

  it('lists those of these ids, and those that changed in a range', async () => {
    const made = await keys.mint({ name: 'Changed later' });
    const other = await keys.mint({ name: 'Never changed' });
    expect(made.updated_at).toBe(made.created_at);
    const ofKey = { account_id: keys.owner.accountId, key_id: made.id };
    const changes = { name: 'Changed' };
    const changed = await keys.harness.call(updateKey, { ...ofKey, changes }, { principal: keys.owner });
    expect(changed.updated_at > other.created_at).toBe(true);
    const ids = `${made.id},${other.id},${newId('key')}`;
    const idsOf = async (filters: object) => (await list({ ids, ...filters })).items.map(({ id }) => id);
    expect(await idsOf({})).toEqual([other.id, made.id]);
    expect(await idsOf({ updated_from: changed.updated_at })).toEqual([made.id]);
    expect(await idsOf({ updated_from: made.created_at, updated_to: changed.updated_at })).toEqual([other.id]);
    const reversed = list({ updated_from: '2027-03-02', updated_to: '2027-03-01' });
    expect(await rejectionOf(reversed)).toMatchObject({ reason: 'range_reversed' });
  });

  it('rejects another account: foreign_account', async () => {
    const work = keys.harness.call(listKeys, { account_id: keys.family.accountId }, { principal: keys.owner });
    expect(await rejectionOf(work)).toMatchObject({ reason: 'foreign_account' });
  });
});

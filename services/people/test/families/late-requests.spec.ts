import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createFamily,
  createMember,
  eraseAccount,
  findActing,
  listOwnMembers,
  type NewFamily,
  type Principal,
  updateAccount,
} from '@swim/contracts';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { openAccounts } from '../harness.js';
import { call, users } from '../shared-users.js';

const KID = { name: 'Kim', date_of_birth: '2017-05-04' };

describe.each(['live', 'test'] as const)('a request in %s that the school has sent before the claim', (env) => {
  let made: NewFamily;
  let principal: Principal;
  const accounts = () => users.people.harness.database(`people_${env}`).collection<{ _id: string }>('accounts');
  const stored = () => accounts().findOne({ _id: made.account_id });
  const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

  beforeEach(async () => {
    const school = aPrincipal({ kind: 'school', env });
    await openAccounts(users.people.service, [school]);
    const family = { name: 'The Kims', email: users.anAddress(), members: [KID] };
    made = await call(createFamily, family, { principal: school });
    principal = (await call(findActing, { accountId: made.account_id }, { principal: school })).principal!;
    await accounts().updateOne({ _id: made.account_id }, { $set: { claimedAt: new Date() } });
  });

  it.each([{ name: 'Others' }, { timezone: 'UTC', locale: 'fr' as const }])(
    'does not change the account to %o: foreign_account',
    async (changes) => {
      const before = await stored();
      const input = { account_id: made.account_id, changes };
      expect(await reasonOf(call(updateAccount, input, { principal }))).toBe('foreign_account');
      expect(await stored()).toEqual(before);
    },
  );

  it('adds no member: foreign_account', async () => {
    const { account_id } = made;
    expect(await reasonOf(call(createMember, { account_id, ...KID }, { principal }))).toBe('foreign_account');
    const own = { principal: aPrincipal({ accountId: account_id, env }) };
    expect((await call(listOwnMembers, { account_id }, own)).items).toHaveLength(1);
  });

  it('erases nothing: foreign_account', async () => {
    const { account_id } = made;
    expect(await reasonOf(call(eraseAccount, { account_id }, { principal }))).toBe('foreign_account');
    expect(await stored()).not.toHaveProperty('state');
  });
});

import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  claimSandboxFamily,
  createFamily,
  createMember,
  endConnection,
  eraseAccount,
  getMember,
  listFamilies,
  listKeys,
  listMyAccounts,
  listOwnMembers,
  type Principal,
  updateAccount,
  updateConnection,
} from '@swim/contracts';
import { AppError, inEnvironment, newId } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { openAccounts } from '../harness.js';
import { call, users } from '../shared-users.js';
import {
  accept,
  accounts,
  acting,
  aFamily,
  aSchool,
  invite,
  join,
  KID,
  linkTo,
  type Made,
  reasonOf,
} from './making.js';

const end = ({ connection_id, school: principal }: Made) => call(endConnection, { connection_id }, { principal });
const isErasing = ({ account_id: _id }: Made) =>
  until(() => accounts().findOne({ _id, state: { $exists: true } }), 'the account is being erased');

describe('the claim of an account', () => {
  it('by its link makes its owner, and leaves the school the rights of a connection', async () => {
    const family = await aFamily();
    const { account_id, email, member_ids, school } = family;
    expect(await acting(family)).toMatchObject({ accountId: account_id });
    const owner = await users.signedIn(email, await accept(await linkTo(family)));
    expect(owner.me).toMatchObject({ user: { role: 'owner', email }, account: { id: account_id, kind: 'family' } });
    expect(await acting(family)).toBeNull();
    const listed = await call(listOwnMembers, { account_id }, owner);
    expect(listed.items.map(({ id }) => id)).toEqual(member_ids);
    const [member_id] = member_ids as [string];
    expect(await call(getMember, { member_id }, { principal: school })).toMatchObject({ name: 'Kim' });
    const { scopes, ...reader } = school;
    const principal = { ...reader, scopes: scopes.filter((scope) => !scope.startsWith('payments')) };
    const { items } = await call(listFamilies, {}, { principal });
    expect(items).toMatchObject([{ account_id, claimed: true, member_ids }]);
    expect(await accounts().findOne({ _id: account_id })).toMatchObject({ emailConfirmedAt: expect.any(Date) });
    const reopening = { connection_id: family.connection_id, changes: { status: 'active' as const } };
    await end(family);
    expect(await call(updateConnection, reopening, { principal: school })).toMatchObject({ status: 'active' });
    expect((await call(listOwnMembers, { account_id }, owner)).items).toHaveLength(1);
  });

  it('by a signed-in user adds the account to hers, and merges nothing', async () => {
    const mother = await users.anOwner({ kind: 'family' });
    const own = { account_id: mother.me.account.id, ...KID };
    await call(createMember, own, mother);
    const made = [await aFamily(mother.email), await aFamily(mother.email)];
    const tokens: string[] = [];
    for (const family of made) {
      await invite(family);
      const sent = () => users.mailTo(mother.email, 'claim').then((mail) => mail.token!);
      tokens.push(await until(async () => (tokens.includes(await sent()) ? null : sent()), 'the next link'));
    }
    expect(await reasonOf(accept(tokens[0]!))).toBe('user_exists');
    let who = mother;
    for (const token of tokens) who = await users.signedIn(mother.email, await join(token, who));
    expect(who.me.account.id).toBe(made[1]!.account_id);
    const { items } = await call(listMyAccounts, {}, who);
    expect(items.map(({ id, role }) => [id, role])).toEqual(
      [mother.me.account.id, ...made.map(({ account_id }) => account_id)].map((id) => [id, 'owner']),
    );
    for (const family of made) expect(await acting(family)).toBeNull();
  });

  it('counts once: invalid_link for a second one, and for a link that a later one has replaced', async () => {
    const family = await aFamily();
    const former = await linkTo(family);
    await invite(family);
    const latest = await until(async () => {
      const { token } = await users.mailTo(family.email, 'claim');
      return token === former ? null : token;
    }, 'the later link');
    expect(await reasonOf(accept(former))).toBe('invalid_link');
    const outcomes = await Promise.allSettled([accept(latest!), accept(latest!), accept(latest!)]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await reasonOf(accept(latest!))).toBe('invalid_link');
    expect(await users.documents('users').countDocuments({ readers: family.account_id } as object)).toBe(1);
  });

  it('by several requests at once makes one owner: by the page, and by two sessions of the user', async () => {
    const mother = await users.anOwner({ kind: 'family' });
    const family = await aFamily(mother.email);
    const token = await linkTo(family);
    const claims = await Promise.allSettled([join(token, mother), accept(token), join(token, mother)]);
    expect(claims.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(claims[1]).toMatchObject({ status: 'rejected', reason: { reason: 'user_exists' } });
    expect(await acting(family)).toBeNull();
    expect(await users.documents('users').countDocuments({ readers: family.account_id } as object)).toBe(1);
    expect(await reasonOf(join(token, mother))).toBe('invalid_link');
  });

  it("is not another person's: wrong_recipient; and not by the link of a former address: invalid_link", async () => {
    const family = await aFamily();
    const token = await linkTo(family);
    expect(await reasonOf(join(token, await users.anOwner()))).toBe('wrong_recipient');
    const input = { account_id: family.account_id, changes: { email: users.anAddress() } };
    await call(updateAccount, input, { principal: (await acting(family))! });
    expect(await reasonOf(accept(token))).toBe('invalid_link');
    expect(await acting(family)).not.toBeNull();
  });

  it("may be the school's own, at its own address", async () => {
    const owner = await users.anOwner();
    const school = { ...owner.principal };
    const family = await aFamily(owner.email, school);
    const claimed = await users.signedIn(owner.email, await join(await linkTo(family), owner));
    expect(claimed.me).toMatchObject({ account: { id: family.account_id, kind: 'family' }, user: { role: 'owner' } });
  });

  it('while the school ends the connection either wins: the account is erased, or has an owner', async () => {
    for (let round = 0; round < 4; round += 1) {
      const family = await aFamily();
      const token = await linkTo(family);
      const [claim] = await Promise.allSettled([accept(token), end(family)]);
      if (claim.status === 'fulfilled') {
        const owner = await users.signedIn(family.email, claim.value);
        const { items } = await call(listOwnMembers, { account_id: family.account_id }, owner);
        expect(items).toHaveLength(1);
      } else {
        expect(claim.reason).toMatchObject({ reason: 'invalid_link' });
        await isErasing(family);
      }
      expect(await acting(family)).toBeNull();
    }
  });

  it('after the end of the connection is invalid_link', async () => {
    const family = await aFamily();
    const token = await linkTo(family);
    await end(family);
    await isErasing(family);
    expect(await reasonOf(accept(token))).toBe('invalid_link');
  });

  it('that a crash has interrupted is completed, where its user was made, and else dropped', async () => {
    const due = { $set: { claimDueAt: new Date(0) } };
    const [made, dropped] = [await aFamily(), await aFamily()];
    const { ClaimsRepository } = await import('../../src/identity/accounts/claims.repository.js');
    const claims = users.people.service.app.get(ClaimsRepository, { strict: false });
    const original = claims.claim;
    claims.claim = () => Promise.reject(new Error('crashed'));
    await rejectionOf(accept(await linkTo(made))).catch(() => undefined);
    claims.claim = original;
    expect(await acting(made)).not.toBeNull();
    await inEnvironment('live', () => claims.begin(dropped.account_id));
    for (const { account_id: _id } of [made, dropped]) await accounts().updateOne({ _id }, due);
    await until(async () => (await acting(made)) === null, 'the claim is completed');
    const isDropped = { _id: dropped.account_id, claimDueAt: { $type: 'date' } };
    await until(async () => (await accounts().findOne(isDropped as object)) === null, 'the other claim is dropped');
    expect(await acting(dropped)).not.toBeNull();
  });
});

describe('the claim of an account in the sandbox', () => {
  const claim = ({ account_id, school }: Pick<Made, 'account_id' | 'school'>, options: object = {}) =>
    call(claimSandboxFamily, { account_id }, { principal: school, ...options });

  it('answers a key of the family, once, and takes from the school the right to act for it', async () => {
    const family = await aFamily(undefined, await aSchool('test'));
    expect(await claim(family, { dryRun: true })).toEqual({ account_id: family.account_id, key: null });
    expect(await acting(family)).not.toBeNull();
    const idempotencyKey = newId('req');
    const claimed = await claim(family, { idempotencyKey });
    expect(claimed).toEqual({ account_id: family.account_id, key: expect.stringMatching(/^swl_test_/) });
    expect(await claim(family, { idempotencyKey })).toEqual(claimed);
    expect(await reasonOf(claim(family))).toBe('invalid_state');
    expect(await acting(family)).toBeNull();
    const account_id = family.account_id;
    const own = { principal: aPrincipal({ accountId: account_id }) };
    expect((await call(listKeys, { account_id }, own)).items).toMatchObject([{ name: 'Family', status: 'active' }]);
  });

  it('has no rights that the key of the school lacks', async () => {
    const school = { ...(await aSchool('test')), scopes: ['members:write' as const] };
    const family = await aFamily(undefined, school);
    await claim(family);
    const own = { principal: aPrincipal({ accountId: family.account_id }) };
    const { items } = await call(listKeys, { account_id: family.account_id }, own);
    expect(items[0]!.scopes.toSorted()).toEqual(['members:read', 'members:write']);
  });

  it('is for the school that has made it, in the sandbox', async () => {
    const family = await aFamily(undefined, await aSchool('test'));
    expect(await reasonOf(claim({ ...family, school: await aSchool('test') }))).toBe('resource_not_found');
    expect(await reasonOf(claim({ ...family, school: aPrincipal() }))).toBe('school_only');
    const live = await aFamily();
    expect(await reasonOf(claim(live))).toBe('unknown_route');
  });
});

describe.each(['live', 'test'] as const)('a request in %s that the school has sent before the claim', (env) => {
  let made: Made;
  let principal: Principal;
  const stored = () => accounts(env).findOne({ _id: made.account_id });

  beforeEach(async () => {
    made = await aFamily(undefined, await aSchool(env));
    principal = (await acting(made))!;
    await accounts(env).updateOne({ _id: made.account_id }, { $set: { claimedAt: new Date() } });
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

it('a request that was interrupted, and whose id another one has taken before it is repeated, leaves no account', async () => {
  const principal = aPrincipal({ kind: 'school' });
  const { service } = users.people;
  await openAccounts(service, [principal]);
  const { MadeConnections } = await import('../../src/people/connections/made-connections.service.js');
  const connections = service.app.get(MadeConnections, { strict: false });
  const interruption = jest.spyOn(connections, 'make').mockRejectedValueOnce(new AppError('unavailable'));
  const family = { name: 'The Kims', email: users.anAddress(), members: [KID], external_id: 'F-1' };
  const make = (idempotencyKey: string) => call(createFamily, family, { principal, idempotencyKey });
  const [first, second] = [newId('req'), newId('req')];
  expect((await rejectionOf(make(first))).reason).toBe('unavailable');
  interruption.mockRestore();
  const { account_id } = await make(second);
  expect((await rejectionOf(make(first))).reason).toBe('already_exists');
  const left = await accounts('test')
    .find({ madeBy: principal.accountId, state: { $exists: false } })
    .toArray();
  expect(left.map(({ _id }) => _id)).toEqual([account_id]);
});

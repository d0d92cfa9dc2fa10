import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  changeRole,
  createInvitation,
  createKey,
  getDashboardMe,
  listInvitations,
  listUsers,
  removeUser,
  revokeKey,
  rollKey,
  signIn,
  verifyUserSession,
} from '@swim/contracts';
import { rejectionOf } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { PASSWORD, type SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const verify = ({ cookie: { id, digest } }: Pick<SignedIn, 'cookie'>) =>
  call(verifyUserSession, { sessionId: id, digest, env: 'live' });

describe('a removed user', () => {
  it('has no session, no sign-in and no address any more; the others keep theirs', async () => {
    const owner = await users.anOwner();
    const user = await users.aUser(owner, 'admin');
    await call(removeUser, { user_id: user.me.user.id }, owner);
    expect(await reasonOf(verify(user))).toBe('unknown_key');
    expect(await reasonOf(call(getDashboardMe, { session: user.cookie }, user))).toBe('session_ended');
    expect(await reasonOf(call(signIn, { email: user.email, password: PASSWORD }))).toBe('wrong_credentials');
    expect((await call(listUsers, {}, owner)).items).toMatchObject([{ id: owner.me.user.id, email: owner.email }]);
    await verify(owner);
  });
});

describe('a user who is removed or demoted', () => {
  const changes = [
    ['removed', (user_id: string, owner: SignedIn) => call(removeUser, { user_id }, owner)],
    ['demoted', (user_id: string, owner: SignedIn) => call(changeRole, { user_id, role: 'viewer' }, owner)],
  ] as const;

  it.each(changes)('and %s leaves no invitation behind', async (_, change) => {
    const owner = await users.anOwner();
    const admin = await users.aUser(owner, 'admin');
    const [email, other] = [users.anAddress(), users.anAddress()];
    await call(createInvitation, { email, role: 'developer' }, admin);
    await call(createInvitation, { email: other, role: 'viewer' }, owner);
    const token = await users.tokenTo(email, 'invitation');
    await change(admin.me.user.id, owner);
    expect((await call(listInvitations, {}, owner)).items).toMatchObject([{ email: other }]);
    expect(await reasonOf(call(acceptInvitation, { token, name: 'Back', password: PASSWORD }))).toBe('invalid_link');
  });

  it.each(changes)(
    'and %s: the answer lists the active keys that the user has made, by keys of its own too',
    async (_, change) => {
      const owner = await users.anOwner();
      const admin = await users.aUser(owner, 'admin');
      const account_id = owner.me.account.id;
      const input = { account_id, name: 'Till', scopes: ['keys:write' as const] };
      const own = await call(createKey, input, admin);
      const sandbox = await call(createKey, input, { principal: { ...admin.principal, env: 'test' } });
      const { userId: _user, ...principal } = { ...admin.principal, keyId: own.id, scopes: own.scopes };
      const byKey = await call(createKey, { ...input, name: 'Copy' }, { principal });
      const rolled = await call(rollKey, { account_id, key_id: byKey.id, overlap_hours: 0 }, admin);
      const { id: key_id } = await call(createKey, input, admin);
      await call(revokeKey, { account_id, key_id }, owner);
      await call(createKey, input, owner);
      const { keys } = await change(admin.me.user.id, owner);
      const expected = [
        { id: own.id, name: 'Till', last4: own.last4, environment: 'live' },
        { id: rolled.id, name: 'Copy', last4: rolled.last4, environment: 'live' },
        { id: sandbox.id, name: 'Till', last4: sandbox.last4, environment: 'sandbox' },
      ];
      expect(keys).toHaveLength(expected.length);
      expect(keys).toEqual(expect.arrayContaining(expected));
    },
  );

  it('is offered no keys when the role allows more than before', async () => {
    const owner = await users.anOwner();
    const developer = await users.aUser(owner, 'developer');
    await call(createKey, { account_id: owner.me.account.id, name: 'Till', scopes: ['keys:write'] }, developer);
    const { id: user_id } = developer.me.user;
    expect(await call(changeRole, { user_id, role: 'admin' }, owner)).toMatchObject({ role: 'admin', keys: [] });
  });
});

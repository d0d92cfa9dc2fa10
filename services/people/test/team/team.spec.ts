import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  changePassword,
  changeRole,
  createInvitation,
  createKey,
  type Environment,
  endUserSession,
  eraseAccount,
  listActivity,
  listInvitations,
  listUserSessions,
  listUsers,
  removeInvitation,
  removeUser,
  signIn,
  updateDashboardMe,
  verifyUserSession,
} from '@swim/contracts';
import { inEnvironment, newId } from '@swim/platform';
import { ofSeveralTries, rejectionOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const verify = ({ cookie: { id, digest } }: Pick<SignedIn, 'cookie'>) =>
  call(verifyUserSession, { sessionId: id, digest, env: 'live' });

describe('roles', () => {
  it('are changed by owners, and count at once', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    expect(viewer.principal.scopes).not.toContain('keys:write');
    const { id: user_id } = viewer.me.user;
    expect(await call(changeRole, { user_id, role: 'developer' }, owner)).toMatchObject({ role: 'developer' });
    expect((await verify(viewer)).principal.scopes).toContain('keys:write');
  });

  it.each(['admin', 'developer', 'viewer'] as const)(
    'are not changed by users of the role %s: missing_role',
    async (role) => {
      const owner = await users.anOwner();
      const user = await users.aUser(owner, role);
      const input = { user_id: user.me.user.id, role: 'owner' } as const;
      expect(await reasonOf(call(changeRole, input, user))).toBe('missing_role');
      expect(await reasonOf(call(removeUser, { user_id: owner.me.user.id }, user))).toBe('missing_role');
      if (role === 'admin') return;
      for (const list of [listUsers, listInvitations, listActivity])
        expect(await reasonOf(call(list, {}, user))).toBe('missing_role');
    },
  );

  it('have an owner at any time: last_owner, for two who leave at once too', async () => {
    const owner = await users.anOwner();
    const [one, other] = [owner, await users.aUser(owner, 'owner')];
    const leave = ({ me, principal }: SignedIn) =>
      call(changeRole, { user_id: me.user.id, role: 'viewer' }, { principal });
    const outcomes = await Promise.allSettled([leave(one), leave(other)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rest = outcomes[0]!.status === 'fulfilled' ? other : one;
    expect(await reasonOf(leave(rest))).toBe('last_owner');
    expect(await reasonOf(call(removeUser, { user_id: rest.me.user.id }, rest))).toBe('last_owner');
  });

  it('of users of other accounts are not found: resource_not_found', async () => {
    const [owner, stranger] = [await users.anOwner(), await users.anOwner()];
    const user_id = stranger.me.user.id;
    expect(await reasonOf(call(changeRole, { user_id, role: 'viewer' }, owner))).toBe('resource_not_found');
    expect(await reasonOf(call(removeUser, { user_id }, owner))).toBe('resource_not_found');
  });

  it('decide which keys a user makes: missing_scope beyond the role', async () => {
    const owner = await users.anOwner();
    const developer = await users.aUser(owner, 'developer');
    const account_id = owner.me.account.id;
    const mint = (scopes: ('keys:write' | 'payments:write')[]) =>
      call(createKey, { account_id, name: 'Till', scopes }, developer);
    expect(await mint(['keys:write'])).toMatchObject({ key: expect.stringMatching(/^swl_live_/) });
    expect(await reasonOf(mint(['payments:write']))).toBe('missing_scope');
    await call(changeRole, { user_id: developer.me.user.id, role: 'viewer' }, owner);
    // The principal is as the gateway has cached it.
    expect(await reasonOf(mint(['keys:write']))).toBe('missing_scope');
  });
});

describe('an invitation', () => {
  const accept = (token: string) => call(acceptInvitation, { token, name: 'New', password: PASSWORD });

  it('makes a user of the address that it was sent to, once', async () => {
    const owner = await users.anOwner();
    const user = await users.aUser(owner, 'admin');
    expect(user.me).toMatchObject({ user: { email: user.email, role: 'admin' }, account: { id: owner.me.account.id } });
    expect((await call(listInvitations, {}, owner)).items).toEqual([]);
  });

  it('that was withdrawn or replaced is invalid_link', async () => {
    const owner = await users.anOwner();
    const email = users.anAddress();
    const first = await call(createInvitation, { email, role: 'viewer' }, owner);
    const token = await users.tokenTo(email, 'invitation');
    const second = await call(createInvitation, { email, role: 'admin' }, owner);
    expect(await reasonOf(accept(token))).toBe('invalid_link');
    expect((await call(listInvitations, {}, owner)).items).toMatchObject([{ id: second.id, email, role: 'admin' }]);
    await call(removeInvitation, { invitation_id: second.id }, owner);
    for (const invitation_id of [first.id, second.id, newId('inv')])
      expect(await reasonOf(call(removeInvitation, { invitation_id }, owner))).toBe('resource_not_found');
  });

  it('of a user who is gone, or may not give that role any more, is invalid_link', async () => {
    const owner = await users.anOwner();
    const email = users.anAddress();
    await call(createInvitation, { email, role: 'admin' }, owner);
    const token = await users.tokenTo(email, 'invitation');
    const inviter = { _id: owner.me.user.id };
    // As a change at the same time leaves it, which has not seen the invitation.
    await users.documents('users').updateOne(inviter, { $set: { 'memberships.0.role': 'admin' } });
    expect(await reasonOf(accept(token))).toBe('invalid_link');
    await users.documents('users').updateOne(inviter, { $set: { 'memberships.0.role': 'owner' } });
    const { data } = await accept(token);
    expect(data.user.role).toBe('admin');
  });

  it('of an address with a user is user_exists', async () => {
    const [owner, other] = [await users.anOwner(), await users.anOwner()];
    await call(createInvitation, { email: other.email, role: 'viewer' }, owner);
    expect(await reasonOf(accept(await users.tokenTo(other.email, 'invitation')))).toBe('user_exists');
  });

  it('gives no role that the inviter may not give: missing_role', async () => {
    const owner = await users.anOwner();
    const [admin, developer] = [await users.aUser(owner, 'admin'), await users.aUser(owner, 'developer')];
    const invite = (role: 'owner' | 'admin' | 'viewer', by: SignedIn) =>
      call(createInvitation, { email: users.anAddress(), role }, by);
    for (const role of ['owner', 'admin'] as const) expect(await reasonOf(invite(role, admin))).toBe('missing_role');
    const { id: invitation_id } = await invite('admin', owner);
    expect(await reasonOf(call(removeInvitation, { invitation_id }, admin))).toBe('missing_role');
    expect(await invite('viewer', admin)).toMatchObject({ invited_by: admin.me.user.id });
    expect(await reasonOf(invite('viewer', developer))).toBe('missing_role');
  });

  it('is sent five times a day to an address at most, by each account: sign_in_attempts', () =>
    ofSeveralTries(async () => {
      const owner = await users.anOwner();
      const email = users.anAddress();
      for (let time = 0; time < 5; time++) await call(createInvitation, { email, role: 'viewer' }, owner);
      expect(await reasonOf(call(createInvitation, { email, role: 'viewer' }, owner))).toBe('sign_in_attempts');
      expect(await call(createInvitation, { email, role: 'viewer' }, await users.anOwner())).toMatchObject({ email });
    }));

  it('is sent twenty times a day until one is accepted, however many were withdrawn: sign_in_attempts', () =>
    ofSeveralTries(async () => {
      const owner = await users.anOwner();
      const invite = () => call(createInvitation, { email: users.anAddress(), role: 'viewer' }, owner);
      const { email } = await invite();
      for (let time = 1; time < 20; time++) {
        const { id: invitation_id } = await invite();
        await call(removeInvitation, { invitation_id }, owner);
      }
      const error = await rejectionOf(invite());
      expect([error.reason, error.retryAfterSeconds! <= 86_400]).toEqual(['sign_in_attempts', true]);
      await accept(await users.tokenTo(email, 'invitation'));
      await invite();
    }));

  it('is rejected beyond a hundred users and invitations: limit_reached', async () => {
    const owner = await users.anOwner();
    const links = users.documents('user_links');
    await call(createInvitation, { email: users.anAddress(), role: 'viewer' }, owner);
    const isSent = { readers: owner.me.account.id, mailDueAt: null };
    const { _id, ...pattern } = await until(() => links.findOne(isSent), 'its mail is requested');
    expect(_id).toMatch(/^inv_/);
    const more = Array.from({ length: 98 }, (_, index) => ({ ...pattern, emailToken: `${index}`, _id: newId('inv') }));
    await links.insertMany(more);
    const error = await rejectionOf(call(createInvitation, { email: users.anAddress(), role: 'viewer' }, owner));
    expect([error.reason, error.details.maximum]).toEqual(['limit_reached', 100]);
  });
});

describe('a user', () => {
  it('changes name and language', async () => {
    const owner = await users.anOwner();
    expect((await call(updateDashboardMe, { name: 'Rita', locale: 'fr' }, owner)).user).toMatchObject({
      name: 'Rita',
      email: owner.email,
      locale: 'fr',
    });
  });

  it('changes the password: the other sessions end, and this one gets another cookie', async () => {
    const owner = await users.anOwner();
    const other = { cookie: cookieIn(await call(signIn, { email: owner.email, password: PASSWORD })) };
    const change = { session: owner.cookie, password: 'another long password' };
    const renewed = { cookie: cookieIn(await call(changePassword, change, owner)) };
    expect(await reasonOf(verify(other))).toBe('revoked_key');
    await verify(renewed);
    expect(renewed.cookie.digest).not.toBe(owner.cookie.digest);
  });

  it('ends one of its sessions, and none of others: resource_not_found', async () => {
    const [owner, stranger] = [await users.anOwner(), await users.anOwner()];
    const other = cookieIn(await call(signIn, { email: owner.email, password: PASSWORD }));
    const { items } = await call(listUserSessions, { sessionId: owner.cookie.id }, owner);
    expect(items.map(({ id, is_current }) => [id, is_current])).toEqual([
      [other.id, false],
      [owner.cookie.id, true],
    ]);
    await call(endUserSession, { user_session_id: other.id }, owner);
    expect(await reasonOf(verify({ cookie: other }))).toBe('revoked_key');
    expect(await reasonOf(call(endUserSession, { user_session_id: stranger.cookie.id }, owner))).toBe(
      'resource_not_found',
    );
  });
});

describe('an account', () => {
  it('that is closing lets its users read only, and loses them when it is erased', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    await call(eraseAccount, { account_id: owner.me.account.id }, owner);
    expect((await verify(viewer)).principal.closing).toMatch(/Z$/);
    const { UsersErasureService } = await import('../../src/identity/team/users-erasure.service.js');
    const erasure = users.people.service.app.get(UsersErasureService, { strict: false });
    const eraseIn = (env: Environment) => inEnvironment(env, () => erasure.erase(owner.me.account.id));
    await eraseIn('test');
    await verify(viewer);
    await eraseIn('live');
    await eraseIn('live');
    for (const name of ['users', 'user_sessions', 'user_links', 'user_activity', 'user_owners'])
      expect([name, await users.documents(name).countDocuments({ readers: owner.me.account.id })]).toEqual([name, 0]);
    expect(await reasonOf(verify(viewer))).toBe('unknown_key');
  });
});

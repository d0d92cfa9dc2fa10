import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  changePassword,
  changeRole,
  createInvitation,
  createKey,
  type Environment,
  getDashboardMe,
  joinAccount,
  listActivity,
  listMyAccounts,
  listSchoolNames,
  listUsers,
  type Role,
  removeInvitation,
  removeUser,
  signIn,
  switchAccount,
  verifyUserSession,
} from '@swim/contracts';
import { inEnvironment, newId } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const verify = ({ cookie: { id, digest } }: Pick<SignedIn, 'cookie'>, env: Environment = 'live') =>
  call(verifyUserSession, { sessionId: id, digest, env });

async function invited(who: SignedIn, role: Role, by: SignedIn): Promise<string> {
  await call(createInvitation, { email: who.email, role }, by);
  return users.tokenTo(who.email, 'invitation');
}

const join = (token: string, who: SignedIn) => call(joinAccount, { token, session: who.cookie }, who);

/** A user in the account of another one too, which it is signed in to. */
async function joined(who: SignedIn, role: Role, by: SignedIn): Promise<SignedIn> {
  return users.signedIn(who.email, await join(await invited(who, role, by), who));
}

const switched = async (who: SignedIn, { me: { account } }: SignedIn) =>
  users.signedIn(who.email, await call(switchAccount, { session: who.cookie, account_id: account.id }, who));

/** An owner of one account who is a viewer of another. */
async function inTwo(role: Role = 'viewer') {
  const [home, host] = [await users.anOwner({ kind: 'family' }), await users.anOwner()];
  return { home, host, guest: await joined(home, role, host) };
}

describe('the names of schools', () => {
  it('are read by the ids of their accounts, and those of families are not', async () => {
    const [family, school] = [await users.anOwner({ kind: 'family' }), await users.anOwner()];
    const [own, { id, name }] = [family.me.account, school.me.account];
    const demo = newId('acct');
    const inSandbox = { _id: demo, kind: 'school', name: 'Demo School', state: 'active' };
    await users.people.harness.database('people_test').collection<{ _id: string }>('accounts').insertOne(inSandbox);
    expect((await call(listSchoolNames, { ids: `${own.id},${id},${demo}` }, family)).items).toEqual([
      { id, name },
      { id: demo, name: 'Demo School' },
    ]);
  });
});

describe('an invitation to a user of another account', () => {
  it('adds the account, with the role, and switches to it; the former cookie speaks for the former account', async () => {
    const { home, host, guest } = await inTwo('admin');
    expect(guest.me).toMatchObject({
      user: { id: home.me.user.id, role: 'admin' },
      account: { id: host.me.account.id },
    });
    expect(guest.principal).toMatchObject({ accountId: host.me.account.id, kind: 'school' });
    expect((await verify(home)).principal).toMatchObject({ accountId: home.me.account.id, kind: 'family' });
    expect((await call(listMyAccounts, {}, guest)).items).toMatchObject([
      { id: home.me.account.id, role: 'owner', kind: 'family', is_current: false },
      { id: host.me.account.id, role: 'admin', kind: 'school', is_current: true },
    ]);
    const members = (await call(listUsers, {}, host)).items;
    expect(members.map(({ id, role }) => [id, role])).toEqual(
      expect.arrayContaining([
        [home.me.user.id, 'admin'],
        [host.me.user.id, 'owner'],
      ]),
    );
    expect((await call(listActivity, {}, host)).items[0]).toMatchObject({ action: 'invitation_accepted' });
  });

  it('has the answer and the mail of one to an unknown address', async () => {
    const [home, host] = [await users.anOwner(), await users.anOwner()];
    const email = users.anAddress();
    const unknown = await call(createInvitation, { email, role: 'viewer' }, host);
    const known = await call(createInvitation, { email: home.email, role: 'viewer' }, host);
    const same = { id: '', email: '', created_at: '', expires_at: '' };
    expect({ ...known, ...same }).toEqual({ ...unknown, ...same });
    const mails = [await users.mailTo(email, 'invitation'), await users.mailTo(home.email, 'invitation')];
    expect({ ...mails[1], email: '', token: '' }).toEqual({ ...mails[0], email: '', token: '' });
  });

  it('counts once, for its address alone, and not when it was withdrawn; it sets no password', async () => {
    const [home, host, stranger] = [await users.anOwner(), await users.anOwner(), await users.anOwner()];
    const token = await invited(home, 'viewer', host);
    expect(await reasonOf(join(token, stranger))).toBe('wrong_recipient');
    expect(await reasonOf(call(acceptInvitation, { token, name: 'New', password: 'another long one' }))).toBe(
      'user_exists',
    );
    const guest = await users.signedIn(home.email, await join(token, home));
    expect(await reasonOf(join(token, guest))).toBe('invalid_link');
    const { id: invitation_id } = await call(createInvitation, { email: stranger.email, role: 'viewer' }, host);
    const withdrawn = await users.tokenTo(stranger.email, 'invitation');
    await call(removeInvitation, { invitation_id }, host);
    expect(await reasonOf(join(withdrawn, stranger))).toBe('invalid_link');
    expect((await call(listUsers, {}, host)).items).toHaveLength(2);
  });

  it('changes no role of a user who belongs to the account', async () => {
    const { host, guest } = await inTwo('viewer');
    const { me } = await joined(guest, 'owner', host);
    expect(me).toMatchObject({ user: { role: 'viewer' }, account: { id: host.me.account.id } });
  });
});

describe('a user of two accounts', () => {
  it('has the rights of the role in the account of the session', async () => {
    const { home, host, guest } = await inTwo('viewer');
    expect(guest.principal.scopes).not.toContain('keys:write');
    const mint = (account_id: string, who: SignedIn) =>
      call(createKey, { account_id, name: 'Till', scopes: ['keys:write'] }, who);
    expect(await reasonOf(mint(host.me.account.id, guest))).toBe('missing_scope');
    const back = await switched(guest, home);
    expect(back.principal.scopes).toContain('keys:write');
    expect(await mint(home.me.account.id, back)).toMatchObject({ name: 'Till' });
    expect(await reasonOf(call(changeRole, { user_id: host.me.user.id, role: 'viewer' }, back))).toBe(
      'resource_not_found',
    );
  });

  it('signs in to the account that it used last', async () => {
    const { home, host, guest } = await inTwo();
    const signedIn = async () => (await call(signIn, { email: home.email, password: PASSWORD })).data.me!.account.id;
    expect(await signedIn()).toBe(host.me.account.id);
    await switched(guest, home);
    expect(await signedIn()).toBe(home.me.account.id);
  });

  it('switches to its own accounts only: resource_not_found; and with the current cookie: change_in_progress', async () => {
    const { home, guest } = await inTwo();
    const stranger = await users.anOwner();
    expect(await reasonOf(switched(guest, stranger))).toBe('resource_not_found');
    expect(await reasonOf(switched({ ...guest, cookie: home.cookie }, home))).toBe('change_in_progress');
  });

  it('has one password for them: a change ends its other sessions in each, and is in the log of each', async () => {
    const { home, host, guest } = await inTwo();
    const other = await switched(await users.signedIn(home.email, await signInTo(home)), home);
    await call(changePassword, { session: guest.cookie, password: 'another long password' }, guest);
    expect(await reasonOf(verify(other))).toBe('revoked_key');
    await verify(host);
    const { cookies, data } = await call(signIn, { email: home.email, password: 'another long password' });
    const anew = await switched(await users.signedIn(home.email, { cookies, data: data.me! }), home);
    for (const by of [host, anew])
      expect((await call(listActivity, {}, by)).items.map(({ action }) => action)).toContain('password_changed');
  });
});

describe('a user who is removed from one of two accounts', () => {
  it('loses the sessions in it at once, and keeps the other account with the password', async () => {
    const { home, host, guest } = await inTwo();
    const elsewhere = { cookie: cookieIn(await call(signIn, { email: home.email, password: PASSWORD })) };
    await call(removeUser, { user_id: home.me.user.id }, host);
    for (const session of [guest, elsewhere, home]) expect(await reasonOf(verify(session))).toBe('unknown_key');
    expect(await reasonOf(call(getDashboardMe, { session: guest.cookie }, guest))).toBe('session_ended');
    expect((await call(listUsers, {}, host)).items).toHaveLength(1);
    const { data } = await call(signIn, { email: home.email, password: PASSWORD });
    expect(data.me).toMatchObject({ user: { role: 'owner', email: home.email }, account: { id: home.me.account.id } });
  });

  it('goes on in a session that has just left it, whose former cookie ends', async () => {
    const { home, host, guest } = await inTwo();
    const back = await switched(guest, home);
    expect((await verify(guest)).principal.accountId).toBe(host.me.account.id);
    await call(removeUser, { user_id: home.me.user.id }, host);
    expect(await reasonOf(verify(guest))).toBe('revoked_key');
    expect((await verify(back)).principal.accountId).toBe(home.me.account.id);
  });

  it('is named in the log of that account no more', async () => {
    const { home, host } = await inTwo();
    await call(removeUser, { user_id: home.me.user.id }, host);
    const { items } = await call(listActivity, {}, host);
    expect(items.find(({ action }) => action === 'invitation_accepted')).toMatchObject({ user_name: null });
  });

  it('stays the last owner of the other one: last_owner', async () => {
    const { home, host, guest } = await inTwo('owner');
    await call(removeUser, { user_id: guest.me.user.id }, host);
    const back = { ...home, ...(await users.signedIn(home.email, await signInTo(home))) };
    expect(await reasonOf(call(changeRole, { user_id: home.me.user.id, role: 'viewer' }, back))).toBe('last_owner');
  });
});

async function signInTo({ email }: SignedIn) {
  const { cookies, data } = await call(signIn, { email, password: PASSWORD });
  return { cookies, data: data.me! };
}

describe('the erasure of an account', () => {
  it('removes its memberships, and only the users who have no other account', async () => {
    const { home, host, guest } = await inTwo();
    const { UsersErasureService } = await import('../../src/identity/team/users-erasure.service.js');
    const erasure = users.people.service.app.get(UsersErasureService, { strict: false });
    await inEnvironment('live', () => erasure.erase(host.me.account.id));
    await inEnvironment('live', () => erasure.erase(host.me.account.id));
    expect(await reasonOf(verify(guest))).toBe('unknown_key');
    expect(await reasonOf(call(signIn, { email: host.email, password: PASSWORD }))).toBe('wrong_credentials');
    expect((await signInTo(home)).data).toMatchObject({
      user: { name: 'Rita Wave' },
      account: { id: home.me.account.id },
    });
    await inEnvironment('live', () => erasure.erase(home.me.account.id));
    expect(await users.documents('users').countDocuments({ _id: home.me.user.id })).toBe(0);
  });
});

it('a user whom a crash left without an account is removed', async () => {
  const owner = await users.anOwner();
  const { UsersRepository } = await import('../../src/identity/users/users.repository.js');
  const repository = users.people.service.app.get(UsersRepository, { strict: false });
  const user = (await repository.find(owner.me.user.id))!;
  await repository.changeMemberships(user, []);
  const isGone = async () => (await repository.find(owner.me.user.id)) === null;
  await until(isGone, 'the sweep has removed the user');
  expect(await reasonOf(call(signIn, { email: owner.email, password: PASSWORD }))).toBe('wrong_credentials');
});

import { describe, expect, it } from '@jest/globals';
import {
  changeRole,
  confirmSession,
  createInvitation,
  type InputOf,
  listActivity,
  listOwnActivity,
  listOwnInvitations,
  listOwnUsers,
  recordUserActions,
  signIn,
} from '@swim/contracts';
import { newId, timeOfId } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { type SignedIn } from '../user-harness.js';

describe('the activity of users', () => {
  it('names who did what to whom, newest first', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    await call(changeRole, { user_id: viewer.me.user.id, role: 'admin' }, { ...owner, network: '192.0.2.0/24' });
    const { items } = await call(listActivity, {}, owner);
    expect(items.map(({ action }) => action)).toEqual([
      'role_changed',
      'invitation_accepted',
      'invitation_created',
      'signed_up',
    ]);
    expect(items[0]).toMatchObject({
      user_id: owner.me.user.id,
      user_name: 'Rita Wave',
      object: viewer.me.user.id,
      address_network: '192.0.2.0/24',
    });
  });
});

describe('a wrong password', () => {
  const network = '192.0.2.0/24';
  const failuresOf = async (owner: SignedIn) =>
    (await call(listActivity, {}, owner)).items.filter(({ action }) => action.endsWith('_failed'));

  it('at the sign-in is in the activity of the account, with the network; of an unknown address nothing is stored', async () => {
    const owner = await users.anOwner();
    const entries = users.documents('user_activity');
    const attempt = (email: string) => rejectionOf(call(signIn, { email, password: 'not the password' }, { network }));
    const ofUnknown = await attempt(users.anAddress());
    const before = await entries.countDocuments();
    expect((await attempt(owner.email)).toBody()).toEqual(ofUnknown.toBody());
    const [failure] = await until(async () => {
      const failures = await failuresOf(owner);
      return failures.length > 0 ? failures : null;
    }, 'the failure is in the log');
    expect(failure).toMatchObject({
      action: 'sign_in_failed',
      user_id: owner.me.user.id,
      address_network: network,
      environment: null,
    });
    expect(await entries.countDocuments()).toBe(before + 1);
  });

  it('that is to confirm a session is there too', async () => {
    const owner = await users.anOwner();
    const proof = { session: owner.cookie, password: 'not the password' };
    await rejectionOf(call(confirmSession, proof, { ...owner, network }));
    expect(await failuresOf(owner)).toMatchObject([{ action: 'password_failed', address_network: network }]);
  });
});

describe('what users changed by public routes', () => {
  const record = (env: 'live' | 'test', userActions: InputOf<typeof recordUserActions>['userActions']) =>
    call(recordUserActions, { userActions }, { principal: aPrincipal({ env }) });
  const anAction = ({ me }: SignedIn, object: string) => ({
    id: newId('act'),
    account_id: me.account.id,
    user_id: me.user.id,
    action: 'POST /v1/pools',
    object,
    network: '192.0.2.0/24',
  });

  it('is in the activity of their account once, with its environment', async () => {
    const owner = await users.anOwner();
    const other = await users.anOwner();
    const [live, sandbox] = [anAction(owner, newId('pool')), anAction(owner, newId('pool'))];
    await record('live', [live, anAction(other, newId('pool'))]);
    await record('test', [sandbox]);
    await record('test', [sandbox]);
    const { items } = await call(listActivity, {}, owner);
    expect(items.map(({ action, object, environment }) => [action, object, environment])).toEqual([
      ['POST /v1/pools', sandbox.object, 'sandbox'],
      ['POST /v1/pools', live.object, 'live'],
      ['signed_up', null, null],
    ]);
    expect(items[0]).toMatchObject({ user_name: 'Rita Wave', at: timeOfId(sandbox.id).toISOString() });
  });

  it('is not stored for an erased or unknown account', async () => {
    const owner = await users.anOwner();
    const accounts = users.people.harness.database('people_live').collection<{ _id: string }>('accounts');
    await accounts.updateOne({ _id: owner.me.account.id }, { $set: { state: 'erasing' } });
    const late = anAction(owner, newId('pool'));
    const foreign = { ...anAction(owner, newId('pool')), account_id: newId('acct') };
    await record('live', [late, foreign]);
    await record('test', [late]);
    expect(await users.documents('user_activity').countDocuments({ _id: { $in: [late.id, foreign.id] } })).toBe(0);
  });
});

describe('an account', () => {
  it('exports users, invitations and activity without secrets, in live only', async () => {
    const owner = await users.anOwner();
    await call(createInvitation, { email: users.anAddress(), role: 'viewer' }, owner);
    const input = { account_id: owner.me.account.id };
    const [own, open, done] = await Promise.all([
      call(listOwnUsers, input, owner),
      call(listOwnInvitations, input, owner),
      call(listOwnActivity, input, owner),
    ]);
    expect([own.items.length, open.items.length, done.items.length]).toEqual([1, 1, 2]);
    expect(JSON.stringify([own, open, done])).not.toMatch(/argon2|(?:hash|token)\w*":/i);
    const sandbox = { principal: { ...owner.principal, env: 'test' } } as const;
    for (const list of [listOwnUsers, listOwnInvitations, listOwnActivity]) {
      expect((await call(list, input, sandbox)).items).toEqual([]);
      const foreign = await rejectionOf(call(list, { account_id: newId('acct') }, owner));
      expect(foreign.reason).toBe('foreign_account');
    }
  });
});

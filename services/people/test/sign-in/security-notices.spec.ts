import { describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  changePassword,
  changeRole,
  confirmTotp,
  finishPasswordReset,
  getDashboardMe,
  removePasskey,
  removeTotp,
  requestPasswordReset,
  verifyUserSession,
} from '@swim/contracts';
import { rejectionOf } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { call, users } from '../shared-users.js';
import { SoftwareAuthenticator } from '../software-authenticator.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const aNotice = (purpose: string) => ({ purpose, locale: 'de', token: null, accountName: null });
const change = (owner: SignedIn, password: string) => call(changePassword, { session: owner.cookie, password }, owner);

describe('a user is notified by mail', () => {
  it('when the password has changed, and not when it could not be', async () => {
    const owner = await users.anOwner();
    await rejectionOf(change(owner, '1234567890'));
    expect(await users.documents('user_links').countDocuments({ purpose: 'password_changed' } as object)).toBe(0);
    await change(owner, 'another sentence');
    expect(await users.mailTo(owner.email, 'password_changed')).toMatchObject(aNotice('password_changed'));
  });

  it('when the password was reset by a link', async () => {
    const { email } = await users.anOwner();
    await call(requestPasswordReset, { email });
    await call(finishPasswordReset, { token: await users.tokenTo(email, 'password_reset'), password: PASSWORD });
    await users.mailTo(email, 'password_changed');
  });

  it('when an authenticator app was added, and when it was removed', async () => {
    const owner = await users.anOwner();
    const { secret } = await call(beginTotp, {}, owner);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const session = cookieIn(await call(confirmTotp, { session: owner.cookie, code }, owner));
    expect(await users.mailTo(owner.email, 'second_factor_added')).toMatchObject(aNotice('second_factor_added'));
    await call(removeTotp, { session }, owner);
    expect(await users.mailTo(owner.email, 'second_factor_removed')).toMatchObject(aNotice('second_factor_removed'));
  });

  it('when a passkey was added, and when it was removed', async () => {
    const owner = await users.anOwner();
    const response = new SoftwareAuthenticator().create(await call(beginPasskey, {}, owner));
    const added = await call(addPasskey, { session: owner.cookie, name: 'Laptop', response }, owner);
    expect(await users.mailTo(owner.email, 'passkey_added')).toMatchObject(aNotice('passkey_added'));
    const removed = { session: cookieIn(added), passkey_id: added.data.passkey.id };
    await call(removePasskey, removed, owner);
    await users.mailTo(owner.email, 'second_factor_removed');
  });
});

describe('a session of a user whose role was changed', () => {
  it('gets another cookie with the next page; the former one is valid for requests in flight', async () => {
    const owner = await users.anOwner();
    const user = await users.aUser(owner, 'viewer');
    const read = () => call(getDashboardMe, { session: user.cookie }, user);
    expect((await read()).cookies).toEqual({});
    await call(changeRole, { user_id: user.me.user.id, role: 'developer' }, owner);
    const renewed = cookieIn(await read());
    expect(renewed).toMatchObject({ id: user.cookie.id });
    expect(renewed.digest).not.toBe(user.cookie.digest);
    for (const cookie of [renewed, user.cookie])
      expect((await users.principalOf(cookie)).scopes).toContain('webhooks:write');
    expect((await read()).cookies).toEqual({});
  });
});

describe('a session of a user whose sandbox was erased', () => {
  it('is valid in live only: sandbox_erased', async () => {
    const owner = await users.anOwner();
    const accounts = users.people.harness.database('people_test').collection<{ _id: string }>('accounts');
    await accounts.updateOne({ _id: owner.me.account.id }, { $set: { state: 'erased' } });
    const { id: sessionId, digest } = owner.cookie;
    const verification = call(verifyUserSession, { sessionId, digest, env: 'test' });
    expect((await rejectionOf(verification)).reason).toBe('sandbox_erased');
    expect((await users.principalOf(owner.cookie)).env).toBe('live');
  });
});

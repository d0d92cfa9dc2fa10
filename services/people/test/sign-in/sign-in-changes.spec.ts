import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  changePassword,
  confirmTotp,
  finishPasswordReset,
  listPasskeys,
  listUserSessions,
  type PresentedCookie,
  removePasskey,
  removeTotp,
  requestPasswordReset,
  signIn,
  verifyUserSession,
} from '@swim/contracts';
import { parseCookieToken } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { call, users } from '../shared-users.js';
import { SoftwareAuthenticator } from '../software-authenticator.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const verify = ({ id, digest }: PresentedCookie) => call(verifyUserSession, { sessionId: id, digest, env: 'live' });
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Has the process end right after the change itself, as far as its effects go. */
let endsAfterChange: { mockRestore(): void };
beforeEach(async () => {
  const { UserLinksService } = await import('../../src/identity/links/user-links.service.js');
  const links = users.people.service.app.get(UserLinksService, { strict: false });
  endsAfterChange = jest.spyOn(links, 'notify').mockRejectedValue(new Error('Killed.'));
});
afterEach(() => endsAfterChange.mockRestore());

/** Opens another session of a user. */
async function anotherSession({ me: { user, account } }: SignedIn): Promise<PresentedCookie> {
  const { UserSessionsService } = await import('../../src/identity/sign-in/user-sessions.service.js');
  const sessions = users.people.service.app.get(UserSessionsService, { strict: false });
  const of = { _id: user.id, accountId: account.id } as Parameters<typeof sessions.open>[0];
  return parseCookieToken('uss', (await sessions.open(of, false, { network: null })).token)!;
}

/** Fails unless an interrupted change ends another session, and not the one in which it is made. */
async function expectEndOfOther(owner: SignedIn, change: () => Promise<unknown>): Promise<void> {
  const other = await anotherSession(owner);
  await verify(other);
  expect((await rejectionOf(change())).reason).toBe('internal');
  expect((await rejectionOf(verify(other))).reason).toBe('revoked_key');
  await verify(owner.cookie);
  const { items } = await call(listUserSessions, { sessionId: owner.cookie.id }, owner);
  expect(items.map(({ id }) => id)).toEqual([owner.cookie.id]);
}

describe('an interrupted change ends the sessions that began before it, but the one in which it was made,', () => {
  it('when it is one of the password', async () => {
    const owner = await users.anOwner();
    const input = { session: owner.cookie, password: 'another long password' };
    await expectEndOfOther(owner, () => call(changePassword, input, owner));
  });

  it('when an authenticator app is added or removed', async () => {
    const owner = await users.anOwner();
    const { secret } = await call(beginTotp, {}, owner);
    const confirm = () => call(confirmTotp, { session: owner.cookie, code: codeOf(secret) }, owner);
    await expectEndOfOther(owner, confirm);
    await expectEndOfOther(owner, () => call(removeTotp, { session: owner.cookie }, owner));
  });

  it('when a passkey is added or removed', async () => {
    const owner = await users.anOwner();
    const session = owner.cookie;
    const response = new SoftwareAuthenticator().create(await call(beginPasskey, {}, owner));
    await expectEndOfOther(owner, () => call(addPasskey, { session, name: 'Laptop', response }, owner));
    const [added] = (await call(listPasskeys, {}, owner)).items;
    const input = { session, passkey_id: added!.id };
    await expectEndOfOther(owner, () => call(removePasskey, input, owner));
  });
});

it('an interrupted reset of the password ends all sessions that began before it, and none that begins after', async () => {
  const owner = await users.anOwner();
  await call(requestPasswordReset, { email: owner.email });
  const token = await users.tokenTo(owner.email, 'password_reset');
  expect((await rejectionOf(call(finishPasswordReset, { token, password: PASSWORD }))).reason).toBe('internal');
  expect((await rejectionOf(verify(owner.cookie))).reason).toBe('revoked_key');
  await verify(cookieIn(await call(signIn, { email: owner.email, password: PASSWORD })));
});

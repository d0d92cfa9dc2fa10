import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  beginTotp,
  type CookieChanges,
  confirmTotp,
  getDashboardMe,
  listPasskeys,
  MOST_PASSKEYS,
  type PasskeyRegistration,
  type PresentedCookie,
  removePasskey,
  removeUser,
  renamePasskey,
  signIn,
  signInWithPasskey,
  signInWithRecoveryCode,
  verifyUserSession,
} from '@swim/contracts';
import { newId, parseCookieToken } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { SoftwareAuthenticator } from '../software-authenticator.js';
import { cookieIn, PASSWORD, type SignedIn, UserHarness } from '../user-harness.js';

let users: UserHarness;
let call: UserHarness['people']['harness']['call'];
beforeAll(async () => {
  process.env.SIGN_IN_PER_MINUTE = '25';
  users = await UserHarness.start();
  call = users.people.harness.call;
});
afterAll(() => users?.stop());

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const secondStepIn = ({ cookies }: { cookies: CookieChanges }): PresentedCookie =>
  parseCookieToken('usi', cookies.secondFactor!.token)!;
const signInAs = (email: string) => call(signIn, { email, password: PASSWORD });
const waitingSignIn = async (email: string) => secondStepIn(await signInAs(email));
const factorsOf = async (owner: SignedIn) =>
  (await call(getDashboardMe, { session: owner.cookie }, owner)).data.user.second_factors;
const add = (owner: SignedIn, response: PasskeyRegistration, name = 'Laptop') =>
  call(addPasskey, { session: owner.cookie, name, response }, owner);
const challengeFor = async (owner: SignedIn) => (await call(beginPasskey, {}, owner)).challenge;
/** Adds the passkey of an authenticator; the owner has its new cookie then. */
async function register(owner: SignedIn, authenticator = new SoftwareAuthenticator()) {
  const answer = await add(owner, authenticator.create({ challenge: await challengeFor(owner) }));
  owner.cookie = cookieIn(answer);
  return answer.data;
}
const challengeTo = async (pending: PresentedCookie) => (await call(beginPasskeySignIn, { pending })).challenge;

/** An owner with a passkey. */
async function aProtectedOwner() {
  const owner = await users.anOwner();
  const authenticator = new SoftwareAuthenticator();
  const { passkey, recovery_codes } = await register(owner, authenticator);
  return { owner, authenticator, passkey, recoveryCodes: recovery_codes! };
}

describe('a new passkey', () => {
  it('is listed under its name; the first brings recovery codes, other sessions end, and the cookie is another one', async () => {
    const owner = await users.anOwner();
    const other = cookieIn(await signInAs(owner.email));
    const former = owner.cookie;
    const { passkey, recovery_codes } = await register(owner);
    expect(new Set(recovery_codes).size).toBe(10);
    expect(owner.cookie.digest).not.toBe(former.digest);
    const verification = call(verifyUserSession, { sessionId: other.id, digest: other.digest, env: 'live' });
    expect(await reasonOf(verification)).toBe('revoked_key');
    expect(await factorsOf(owner)).toEqual({ totp: false, passkeys: 1, recovery_codes_left: 10 });
    expect((await call(listPasskeys, {}, owner)).items).toEqual([passkey]);
    expect(passkey).toMatchObject({ object: 'passkey', name: 'Laptop', last_used_at: null });
    expect((await register(owner)).recovery_codes).toBeNull();
  });

  it('needs options that were requested before: wrong_passkey', async () => {
    const owner = await users.anOwner();
    const response = new SoftwareAuthenticator().create({ challenge: 'AAAA' });
    expect(await reasonOf(add(owner, response))).toBe('wrong_passkey');
    expect((await call(listPasskeys, {}, owner)).items).toEqual([]);
  });

  it('needs a response to the latest challenge, which counts once and for five minutes: wrong_passkey', async () => {
    const owner = await users.anOwner();
    const first = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    const second = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    expect(await reasonOf(add(owner, first))).toBe('wrong_passkey');
    // The wrong response has used the challenge up.
    expect(await reasonOf(add(owner, second))).toBe('wrong_passkey');
    const late = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    const expired = { $set: { 'challenge.expiresAt': new Date(0) } };
    await users.documents('second_factors').updateOne({ _id: owner.me.user.id }, expired);
    expect(await reasonOf(add(owner, late))).toBe('wrong_passkey');
    const used = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    owner.cookie = cookieIn(await add(owner, used));
    expect(await reasonOf(add(owner, used))).toBe('wrong_passkey');
  });

  it('is rejected from pages of another origin, and for another host: wrong_passkey', async () => {
    const owner = await users.anOwner();
    for (const wrong of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const response = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner), ...wrong });
      expect(await reasonOf(add(owner, response))).toBe('wrong_passkey');
    }
  });

  it('belongs to one user: wrong_passkey for another, who may have it once it is removed', async () => {
    const { owner, authenticator, passkey } = await aProtectedOwner();
    const other = await users.anOwner();
    const attempt = async () => add(other, authenticator.create({ challenge: await challengeFor(other) }));
    expect(await reasonOf(attempt())).toBe('wrong_passkey');
    const removal = { session: owner.cookie, passkey_id: passkey.id };
    await call(removePasskey, removal, owner);
    expect((await attempt()).data.passkey.name).toBe('Laptop');
  });

  it('is rejected beyond the tenth: limit_reached', async () => {
    const owner = await users.anOwner();
    for (let count = 0; count < MOST_PASSKEYS - 1; count++) await register(owner);
    const last = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    owner.cookie = cookieIn(await add(owner, last));
    expect(await reasonOf(call(beginPasskey, {}, owner))).toBe('limit_reached');
  });

  it('has limited tries: sign_in_attempts', async () => {
    const owner = await users.anOwner();
    const response = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    const tries = await Promise.allSettled(Array.from({ length: 60 }, () => add(owner, response)));
    const reasons = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.reason as string] : []));
    expect(reasons).toContain('sign_in_attempts');
  });
});

describe('a sign-in with a passkey', () => {
  it('is completed by its signature', async () => {
    const { owner, authenticator } = await aProtectedOwner();
    const first = await signInAs(owner.email);
    expect(first.data).toEqual({ status: 'second_factor_required', methods: ['passkey', 'recovery_code'] });
    const pending = secondStepIn(first);
    const options = await call(beginPasskeySignIn, { pending });
    const response = authenticator.get(options);
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: response.id }] });
    const answer = await call(signInWithPasskey, { pending, response });
    expect(answer).toMatchObject({ cookies: { secondFactor: null }, data: { status: 'signed_in' } });
    const [passkey] = (await call(listPasskeys, {}, owner)).items;
    expect(passkey!.last_used_at).not.toBeNull();
  });

  it('accepts a signature once, also of concurrent requests: wrong_passkey', async () => {
    const { owner, authenticator } = await aProtectedOwner();
    const pending = await waitingSignIn(owner.email);
    const response = authenticator.get({ challenge: await challengeTo(pending) });
    const complete = () => call(signInWithPasskey, { pending, response });
    const outcomes = await Promise.allSettled([complete(), complete()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = await waitingSignIn(owner.email);
    await challengeTo(again);
    expect(await reasonOf(call(signInWithPasskey, { pending: again, response }))).toBe('wrong_passkey');
  });

  it('rejects a signature whose counter has not grown: wrong_passkey', async () => {
    const { owner, authenticator } = await aProtectedOwner();
    const use = async () => {
      const pending = await waitingSignIn(owner.email);
      return call(signInWithPasskey, {
        pending,
        response: authenticator.get({ challenge: await challengeTo(pending) }),
      });
    };
    await use();
    authenticator.counter = 0;
    expect(await reasonOf(use())).toBe('wrong_passkey');
    await use();
  });

  it('rejects other authenticators, origins, hosts, and expired challenges: wrong_passkey', async () => {
    const { owner, authenticator } = await aProtectedOwner();
    const pending = await waitingSignIn(owner.email);
    const complete = (response: ReturnType<SoftwareAuthenticator['get']>) =>
      reasonOf(call(signInWithPasskey, { pending, response }));
    expect(await complete(new SoftwareAuthenticator().get({ challenge: await challengeTo(pending) }))).toBe(
      'wrong_passkey',
    );
    const origin = { challenge: await challengeTo(pending), origin: 'https://evil.example' };
    expect(await complete(authenticator.get(origin))).toBe('wrong_passkey');
    const host = { challenge: await challengeTo(pending), rpId: 'evil.example' };
    expect(await complete(authenticator.get(host))).toBe('wrong_passkey');
    const late = authenticator.get({ challenge: await challengeTo(pending) });
    const expired = { $set: { 'challenge.expiresAt': new Date(0) } };
    await users.documents('pending_sign_ins').updateOne({ _id: pending.id }, expired);
    expect(await complete(late)).toBe('wrong_passkey');
    // Four of five tries were made.
    expect(await complete(authenticator.get({ challenge: 'AAAA' }))).toBe('wrong_passkey');
    expect(await complete(authenticator.get({ challenge: await challengeTo(pending) }))).toBe('sign_in_expired');
  });

  it('is offered to users with passkeys only: sign_in_expired', async () => {
    const owner = await users.anOwner();
    const { secret } = await call(beginTotp, {}, owner);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await call(confirmTotp, { session: owner.cookie, code }, owner);
    const pending = await waitingSignIn(owner.email);
    expect(await reasonOf(call(beginPasskeySignIn, { pending }))).toBe('sign_in_expired');
    expect(await reasonOf(call(beginPasskeySignIn, {}))).toBe('sign_in_expired');
  });

  it('can be completed by a recovery code instead', async () => {
    const { owner, recoveryCodes } = await aProtectedOwner();
    const pending = await waitingSignIn(owner.email);
    const { data } = await call(signInWithRecoveryCode, { pending, code: recoveryCodes[0]! });
    expect(data.me!.user.second_factors).toEqual({ totp: false, passkeys: 1, recovery_codes_left: 9 });
  });
});

describe('a passkey of a user', () => {
  it('is renamed and removed by the user', async () => {
    const { owner, passkey } = await aProtectedOwner();
    const named = await call(renamePasskey, { passkey_id: passkey.id, name: 'Telephone' }, owner);
    expect(named).toEqual({ ...passkey, name: 'Telephone' });
    const remove = (passkey_id: string) => call(removePasskey, { session: owner.cookie, passkey_id }, owner);
    expect(await reasonOf(remove(newId('psk')))).toBe('resource_not_found');
    const unknown = call(renamePasskey, { passkey_id: newId('psk'), name: 'Tablet' }, owner);
    expect(await reasonOf(unknown)).toBe('resource_not_found');
    owner.cookie = cookieIn(await remove(passkey.id));
    expect(await factorsOf(owner)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0 });
    expect((await signInAs(owner.email)).data.status).toBe('signed_in');
  });

  it('stays as it is under repeated concurrent changes: change_in_progress', async () => {
    const { owner, authenticator, passkey } = await aProtectedOwner();
    const session = owner.cookie;
    const pending = await waitingSignIn(owner.email);
    const signature = authenticator.get({ challenge: await challengeTo(pending) });
    const created = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    for (const change of [
      () => call(beginPasskey, {}, owner),
      () => add(owner, created, 'Never'),
      () => call(renamePasskey, { passkey_id: passkey.id, name: 'Never' }, owner),
      () => call(removePasskey, { session, passkey_id: passkey.id }, owner),
      () => call(signInWithPasskey, { pending, response: signature }),
    ])
      expect(await users.rejectionAmidChanges(change)).toMatchObject({
        reason: 'change_in_progress',
        code: 'CONFLICT',
        retryAfterSeconds: 1,
      });
    expect((await call(listPasskeys, {}, owner)).items).toEqual([passkey]);
  });

  it('cannot be used by a user who was removed: session_ended', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    await call(removeUser, { user_id: viewer.me.user.id }, owner);
    const requests = [
      call(listPasskeys, {}, viewer),
      call(beginPasskey, {}, viewer),
      call(renamePasskey, { passkey_id: newId('psk'), name: 'x' }, viewer),
      add(viewer, new SoftwareAuthenticator().create({ challenge: 'AAAA' })),
      call(removePasskey, { session: viewer.cookie, passkey_id: newId('psk') }, viewer),
    ];
    expect(await Promise.all(requests.map(reasonOf))).toEqual(requests.map(() => 'session_ended'));
  });

  it('is stored without its name in clear', async () => {
    const owner = await users.anOwner();
    const response = new SoftwareAuthenticator().create({ challenge: await challengeFor(owner) });
    await add(owner, response, 'Canary of Rita');
    expect(JSON.stringify(await users.documents('second_factors').find().toArray())).not.toContain('Canary');
  });
});

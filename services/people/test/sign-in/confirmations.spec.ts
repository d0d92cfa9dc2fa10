import { describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  beginConfirmation,
  beginPasskey,
  beginTotp,
  confirmSession,
  confirmTotp,
  endUserSession,
  type InputOf,
  listActivity,
  removeUser,
  signIn,
} from '@swim/contracts';
import { rejectionOf, until } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { call, users } from '../shared-users.js';
import { SoftwareAuthenticator } from '../software-authenticator.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const TEN_MINUTES_MS = 600_000;
type Proof = Omit<InputOf<typeof confirmSession>, 'session'>;

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const confirm = (owner: SignedIn, proof: Proof) => call(confirmSession, { session: owner.cookie, ...proof }, owner);
const confirmedUntil = async (cookie: SignedIn['cookie']) => (await users.principalOf(cookie)).confirmedUntil;
/** Has the latest confirmation of a session be ten minutes ago. */
const makeStale = ({ cookie }: SignedIn) =>
  users
    .documents('user_sessions')
    .updateOne({ _id: cookie.id }, { $set: { confirmedAt: new Date(Date.now() - TEN_MINUTES_MS) } });

/** An owner whose session is not confirmed any more. */
async function aStaleOwner(): Promise<SignedIn> {
  const owner = await users.anOwner();
  await makeStale(owner);
  return owner;
}

/** Fails unless this confirms the session: its new cookie, which the owner has then, for ten minutes, and the former one not. */
async function expectConfirmed(owner: SignedIn, proof: Proof): Promise<void> {
  const former = owner.cookie;
  expect(Date.parse((await confirmedUntil(former))!)).toBeLessThanOrEqual(Date.now());
  const before = Date.now();
  owner.cookie = cookieIn(await confirm(owner, proof));
  expect(owner.cookie.id).toBe(former.id);
  const endMs = Date.parse((await confirmedUntil(owner.cookie))!);
  expect(endMs).toBeGreaterThan(before + TEN_MINUTES_MS - 1_000);
  expect(endMs).toBeLessThan(Date.now() + TEN_MINUTES_MS + 1_000);
  expect(await confirmedUntil(former)).toBeUndefined();
}

describe('a session', () => {
  it('is confirmed for ten minutes by its sign-in', async () => {
    const owner = await users.anOwner();
    const cookie = cookieIn(await call(signIn, { email: owner.email, password: PASSWORD }));
    const [stored] = await users.documents('user_sessions').find({ _id: cookie.id }).toArray();
    const { confirmedAt } = stored as unknown as { confirmedAt: Date };
    const end = new Date(confirmedAt.getTime() + TEN_MINUTES_MS);
    expect(await confirmedUntil(cookie)).toBe(end.toISOString());
    expect(Math.abs(end.getTime() - Date.now() - TEN_MINUTES_MS)).toBeLessThan(10_000);
  });

  it('is confirmed by the password, with another cookie, and no other session of the user is', async () => {
    const owner = await aStaleOwner();
    const other = { ...owner, cookie: cookieIn(await call(signIn, { email: owner.email, password: PASSWORD })) };
    await makeStale(other);
    const stale = await confirmedUntil(other.cookie);
    await expectConfirmed(owner, { password: PASSWORD });
    expect(await confirmedUntil(other.cookie)).toBe(stale);
  });

  it('is confirmed by a code of the app, and by a recovery code, each once', async () => {
    const owner = await users.anOwner();
    const { secret } = await call(beginTotp, {}, owner);
    const codeIn = (ms: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms });
    const confirmed = await call(confirmTotp, { session: owner.cookie, code: codeIn(0) }, owner);
    owner.cookie = cookieIn(confirmed);
    await makeStale(owner);
    const code = codeIn(30_000);
    await expectConfirmed(owner, { code });
    expect(await reasonOf(confirm(owner, { code }))).toBe('wrong_code');
    const recovery = confirmed.data.recovery_codes[0]!;
    await makeStale(owner);
    await expectConfirmed(owner, { code: recovery });
    expect(await reasonOf(confirm(owner, { code: recovery }))).toBe('wrong_code');
    const { items } = await call(listActivity, {}, owner);
    expect(items.filter(({ action }) => action === 'second_factor_failed')).toHaveLength(2);
  });

  it('is confirmed by the signature of a passkey for its own latest challenge, once', async () => {
    const owner = await users.anOwner();
    expect(await reasonOf(call(beginConfirmation, { session: owner.cookie }, owner))).toBe('invalid_state');
    const authenticator = new SoftwareAuthenticator();
    const response = authenticator.create(await call(beginPasskey, {}, owner));
    owner.cookie = cookieIn(await call(addPasskey, { session: owner.cookie, name: 'Laptop', response }, owner));
    await makeStale(owner);
    const begin = async () => authenticator.get(await call(beginConfirmation, { session: owner.cookie }, owner));
    const [first, latest] = [await begin(), await begin()];
    expect(await reasonOf(confirm(owner, { response: first }))).toBe('wrong_passkey');
    expect(await reasonOf(confirm(owner, { response: latest }))).toBe('wrong_passkey');
    await expectConfirmed(owner, { response: await begin() });
  });

  it('is not confirmed by what is wrong, nor by nothing: wrong_password, wrong_code, required', async () => {
    const owner = await aStaleOwner();
    const stale = await confirmedUntil(owner.cookie);
    expect(await reasonOf(confirm(owner, { password: 'not the password' }))).toBe('wrong_password');
    expect(await reasonOf(confirm(owner, { code: '123456' }))).toBe('wrong_code');
    expect(await reasonOf(confirm(owner, { code: 'aaaa-bbbb' }))).toBe('wrong_code');
    expect(await reasonOf(confirm(owner, {}))).toBe('required');
    expect(await confirmedUntil(owner.cookie)).toBe(stale);
  });

  it('has limited tries, which use up neither those of another session nor of a sign-in: sign_in_attempts', async () => {
    const owner = await aStaleOwner();
    const other = { ...owner, cookie: cookieIn(await call(signIn, { email: owner.email, password: PASSWORD })) };
    const isLimited = async () => (await reasonOf(confirm(owner, { password: 'wrong' }))) === 'sign_in_attempts';
    await until(isLimited, 'the tries are limited');
    await confirm(other, { password: PASSWORD });
    expect((await call(signIn, { email: owner.email, password: PASSWORD })).data.status).toBe('signed_in');
  });

  it('has a hundred wrong codes in all, of which the user is notified: second_factor_locked', async () => {
    const owner = await aStaleOwner();
    for (let time = 0; time < 5; time++) expect(await reasonOf(confirm(owner, { code: '123456' }))).toBe('wrong_code');
    expect(await users.mailTo(owner.email, 'wrong_codes')).toMatchObject({ token: null });
    const counts = users.documents('sign_in_counts');
    await counts.updateMany({ _id: { $regex: `^second_step:${owner.cookie.id}` } } as object, { $set: { count: 100 } });
    expect(await reasonOf(confirm(owner, { code: '123456' }))).toBe('second_factor_locked');
    await expectConfirmed(owner, { password: PASSWORD });
  });

  it('that has ended, or whose user is removed, is not confirmed: change_in_progress, session_ended', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    await call(endUserSession, { user_session_id: viewer.cookie.id }, viewer);
    expect(await reasonOf(confirm(viewer, { password: PASSWORD }))).toBe('change_in_progress');
    await call(removeUser, { user_id: viewer.me.user.id }, owner);
    expect(await reasonOf(confirm(viewer, { password: PASSWORD }))).toBe('session_ended');
    expect(await reasonOf(call(beginConfirmation, { session: viewer.cookie }, viewer))).toBe('session_ended');
  });
});

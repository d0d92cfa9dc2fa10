import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  beginTotp,
  type CookieChanges,
  confirmTotp,
  finishPasswordReset,
  getDashboardMe,
  type PresentedCookie,
  removeTotp,
  removeUser,
  replaceRecoveryCodes,
  requestPasswordReset,
  signIn,
  signInWithRecoveryCode,
  signInWithTotp,
  verifyUserSession,
} from '@swim/contracts';
import { inEnvironment, parseCookieToken } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { cookieIn, PASSWORD, type SignedIn, UserHarness } from '../user-harness.js';

const PERIOD_MS = 30_000;
// The service's time stands still, since a test may run while a step of the codes ends.
const NOW = new Date();

let users: UserHarness;
let call: UserHarness['people']['harness']['call'];
beforeAll(async () => {
  users = await UserHarness.start();
  call = users.people.harness.call;
  const { FactorsRepository } = await import('../../src/identity/second-factors/factors.repository.js');
  jest.spyOn(FactorsRepository.prototype, 'now').mockReturnValue(NOW);
});
afterAll(() => users?.stop());

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
/** The code of a secret, so many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOW.getTime() + steps * PERIOD_MS });

interface Protected extends SignedIn {
  secret: string;
  recoveryCodes: string[];
}

/** An owner with an authenticator app, confirmed by the code of the step before. */
async function aProtectedOwner(): Promise<Protected> {
  const owner = await users.anOwner();
  const { secret } = await call(beginTotp, {}, owner);
  const answer = await call(confirmTotp, { session: owner.cookie, code: codeOf(secret, -1) }, owner);
  return { ...owner, cookie: cookieIn(answer), secret, recoveryCodes: answer.data.recovery_codes };
}

const secondStepIn = ({ cookies }: { cookies: CookieChanges }): PresentedCookie =>
  parseCookieToken('usi', cookies.secondFactor!.token)!;
const signInAs = (email: string) => call(signIn, { email, password: PASSWORD });
const factorsOf = async (owner: SignedIn) =>
  (await call(getDashboardMe, { session: owner.cookie }, owner)).data.user.second_factors;
const verify = ({ cookie: { id, digest } }: Pick<SignedIn, 'cookie'>) =>
  call(verifyUserSession, { sessionId: id, digest, env: 'live' });

describe('an authenticator app', () => {
  it('counts once a code confirms it; then other sessions end, and the cookie is another one', async () => {
    const owner = await users.anOwner();
    const other = { cookie: cookieIn(await signInAs(owner.email)) };
    const { secret, otpauth_url } = await call(beginTotp, {}, owner);
    expect(otpauth_url).toContain(secret);
    expect((await signInAs(owner.email)).data.status).toBe('signed_in');
    expect(await reasonOf(call(confirmTotp, { session: owner.cookie, code: codeOf(secret, 10) }, owner))).toBe(
      'wrong_code',
    );
    const answer = await call(confirmTotp, { session: owner.cookie, code: codeOf(secret) }, owner);
    expect(new Set(answer.data.recovery_codes).size).toBe(10);
    expect(await reasonOf(verify(other))).toBe('revoked_key');
    await verify({ cookie: cookieIn(answer) });
    expect(await factorsOf(owner)).toEqual({ totp: true, passkeys: 0, recovery_codes_left: 10 });
    expect(await reasonOf(call(beginTotp, {}, owner))).toBe('invalid_state');
    expect(await reasonOf(call(confirmTotp, { session: owner.cookie, code: codeOf(secret, 1) }, owner))).toBe(
      'invalid_state',
    );
  });

  it('is set up by a secret that was requested before: invalid_state', async () => {
    const owner = await users.anOwner();
    expect(await reasonOf(call(confirmTotp, { session: owner.cookie, code: '123456' }, owner))).toBe('invalid_state');
    expect(await factorsOf(owner)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0 });
  });

  it('has limited tries of its first code: sign_in_attempts', async () => {
    const owner = await users.anOwner();
    await call(beginTotp, {}, owner);
    const confirm = () => call(confirmTotp, { session: owner.cookie, code: '123456' }, owner);
    const tries = await Promise.allSettled(Array.from({ length: 60 }, confirm));
    const reasons = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.reason as string] : []));
    expect(reasons).toContain('sign_in_attempts');
  });

  it('cannot be set up by a user who was removed: session_ended', async () => {
    const owner = await users.anOwner();
    const viewer = await users.aUser(owner, 'viewer');
    await call(removeUser, { user_id: viewer.me.user.id }, owner);
    const { cookie: session } = viewer;
    const requests = [
      call(beginTotp, {}, viewer),
      call(confirmTotp, { session, code: '123456' }, viewer),
      call(removeTotp, { session }, viewer),
      call(replaceRecoveryCodes, {}, viewer),
    ];
    expect(await Promise.all(requests.map(reasonOf))).toEqual(requests.map(() => 'session_ended'));
  });

  it('stays as it is under repeated concurrent changes: change_in_progress', async () => {
    const owner = await aProtectedOwner();
    const { cookie: session, secret, recoveryCodes } = owner;
    const pending = secondStepIn(await signInAs(owner.email));
    for (const change of [
      () => call(removeTotp, { session }, owner),
      () => call(replaceRecoveryCodes, {}, owner),
      () => call(signInWithTotp, { pending, code: codeOf(secret) }),
      () => call(signInWithRecoveryCode, { pending, code: recoveryCodes[0]! }),
    ])
      expect(await users.rejectionAmidChanges(change)).toMatchObject({
        reason: 'change_in_progress',
        code: 'CONFLICT',
      });
    expect(await factorsOf(owner)).toEqual({ totp: true, passkeys: 0, recovery_codes_left: 10 });
    const other = await users.anOwner();
    const begun = await call(beginTotp, {}, other);
    for (const change of [
      () => call(beginTotp, {}, other),
      () => call(confirmTotp, { session: other.cookie, code: codeOf(begun.secret) }, other),
    ])
      expect(await users.rejectionAmidChanges(change)).toMatchObject({ reason: 'change_in_progress' });
  });

  it('is required after the password, and then signs in', async () => {
    const { email, secret, me } = await aProtectedOwner();
    const first = await signInAs(email);
    expect(first).toMatchObject({
      cookies: { secondFactor: { keptSeconds: 600 } },
      data: { status: 'second_factor_required', methods: ['totp', 'recovery_code'] },
    });
    expect(first.cookies.session).toBeUndefined();
    const answer = await call(signInWithTotp, { pending: secondStepIn(first), code: codeOf(secret) });
    expect(answer).toMatchObject({ cookies: { secondFactor: null }, data: { status: 'signed_in' } });
    expect((await users.principalOf(cookieIn(answer))).userId).toBe(me.user.id);
  });

  it('accepts each code once, of concurrent sign-ins too: wrong_code', async () => {
    const { email, secret } = await aProtectedOwner();
    const [one, other] = [secondStepIn(await signInAs(email)), secondStepIn(await signInAs(email))];
    const code = codeOf(secret);
    const outcomes = await Promise.allSettled([one, other].map((pending) => call(signInWithTotp, { pending, code })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = secondStepIn(await signInAs(email));
    expect(await reasonOf(call(signInWithTotp, { pending: again, code }))).toBe('wrong_code');
    // Nor an earlier one, which is still shown somewhere.
    expect(await reasonOf(call(signInWithTotp, { pending: again, code: codeOf(secret, -1) }))).toBe('wrong_code');
  });

  it('is removed with its recovery codes', async () => {
    const owner = await aProtectedOwner();
    await call(removeTotp, { session: owner.cookie }, owner);
    expect((await signInAs(owner.email)).data.status).toBe('signed_in');
    expect(await factorsOf(owner)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0 });
  });
});

describe('the second step of a sign-in', () => {
  it('ends after five wrong codes, and with time or another password: sign_in_expired', async () => {
    const { email, secret } = await aProtectedOwner();
    const complete = (pending?: PresentedCookie, code = codeOf(secret)) =>
      reasonOf(call(signInWithTotp, { pending, code }));
    const tried = secondStepIn(await signInAs(email));
    for (let time = 0; time < 5; time++) expect(await complete(tried, codeOf(secret, 10))).toBe('wrong_code');
    expect(await complete(tried)).toBe('sign_in_expired');

    const late = secondStepIn(await signInAs(email));
    await users.documents('pending_sign_ins').updateOne({ _id: late.id }, { $set: { expiresAt: new Date(0) } });
    expect(await complete(late)).toBe('sign_in_expired');

    const former = secondStepIn(await signInAs(email));
    await call(requestPasswordReset, { email });
    const token = await users.tokenTo(email, 'password_reset');
    await call(finishPasswordReset, { token, password: PASSWORD });
    expect(await complete(former)).toBe('sign_in_expired');
    expect(await complete(undefined)).toBe('sign_in_expired');
    expect(await complete({ ...former, digest: late.digest })).toBe('sign_in_expired');
  });
});

describe('a recovery code', () => {
  it('signs in once, in any spelling: wrong_code', async () => {
    const { email, recoveryCodes } = await aProtectedOwner();
    const code = recoveryCodes[0]!.toUpperCase().replace('-', ' ');
    const use = async () => call(signInWithRecoveryCode, { pending: secondStepIn(await signInAs(email)), code });
    expect((await use()).data.me?.user.second_factors.recovery_codes_left).toBe(9);
    expect(await reasonOf(use())).toBe('wrong_code');
  });

  it('ends when the codes are replaced, which needs an app', async () => {
    const owner = await aProtectedOwner();
    const { recovery_codes: fresh } = await call(replaceRecoveryCodes, {}, owner);
    const pending = secondStepIn(await signInAs(owner.email));
    expect(await reasonOf(call(signInWithRecoveryCode, { pending, code: owner.recoveryCodes[0]! }))).toBe('wrong_code');
    await call(signInWithRecoveryCode, { pending, code: fresh[0]! });
    expect(await reasonOf(call(replaceRecoveryCodes, {}, await users.anOwner()))).toBe('invalid_state');
  });
});

describe('what is stored of second factors', () => {
  /** What is left of a user: documents of its own, and whether its key can be read. */
  async function remainsOf({ me: { user } }: SignedIn) {
    const keys = users.people.harness.database('people_keys_live').collection<{ _id: string }>('personal_keys');
    const names = ['users', 'second_factors', 'user_sessions'];
    const of = { $or: [{ _id: user.id }, { userId: user.id }] };
    const counts = await Promise.all(names.map((name) => users.documents(name).countDocuments(of)));
    const left = names.filter((_, index) => counts[index]! > 0);
    return (await keys.countDocuments({ _id: user.id, wrapped: { $exists: true } })) > 0 ? [...left, 'key'] : left;
  }

  it('is removed by the sweep after an interrupted removal of a user, wherever that stopped', async () => {
    const { DataKeys } = await import('@swim/mongo');
    const { FactorsRepository } = await import('../../src/identity/second-factors/factors.repository.js');
    const { UsersRepository } = await import('../../src/identity/users/users.repository.js');
    const steps = [
      [FactorsRepository, 'removeOne'],
      [DataKeys, 'destroy'],
      [UsersRepository, 'removeOne'],
    ] as const;
    for (const [type, method] of steps) {
      const owner = await aProtectedOwner();
      const other = await users.aUser(owner, 'owner');
      const remove = () => call(removeUser, { user_id: owner.me.user.id }, other);
      type Part = Record<string, () => Promise<void>>;
      const part = users.people.service.app.get<Part>(type, { strict: false });
      jest.spyOn(part, method).mockRejectedValueOnce(new Error('Killed.'));
      expect([method, await reasonOf(remove())]).toEqual([method, 'internal']);
      await until(async () => (await remainsOf(owner)).length === 0, `nothing is left after ${method}`);
    }
  });

  it('is removed by the erasure of the account', async () => {
    const owner = await aProtectedOwner();
    const { UsersErasureService } = await import('../../src/identity/team/users-erasure.service.js');
    const erasure = users.people.service.app.get(UsersErasureService, { strict: false });
    await inEnvironment('live', () => erasure.erase(owner.me.account.id));
    expect(await remainsOf(owner)).toEqual([]);
  });

  it('contains no secret and no code in clear', async () => {
    const { secret, recoveryCodes } = await aProtectedOwner();
    const text = JSON.stringify(await users.documents('second_factors').find().toArray());
    for (const canary of [secret, ...recoveryCodes]) expect([canary, text.includes(canary)]).toEqual([canary, false]);
  });
});

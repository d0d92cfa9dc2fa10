import { describe, expect, it } from '@jest/globals';
import {
  confirmSignUp,
  finishPasswordReset,
  getAccount,
  getDashboardMe,
  requestPasswordReset,
  signIn,
  signInWithLink,
  signOut,
  signOutEverywhere,
  signUp,
  verifyUserSession,
} from '@swim/contracts';
import type { AppError } from '@swim/platform';
import { ofSeveralTries, rejectionOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const signInAs = (email: string, password = PASSWORD) => call(signIn, { email, password });
const verify = ({ cookie: { id, digest } }: Pick<SignedIn, 'cookie'>) =>
  call(verifyUserSession, { sessionId: id, digest, env: 'live' });
const isEnded = (signed: Pick<SignedIn, 'cookie'>) => reasonOf(verify(signed));

describe('a sign-up', () => {
  it('makes one account in both environments, with a confirmed address', async () => {
    const { me, email, principal } = await users.anOwner({ currency: 'EUR' });
    for (const env of ['live', 'test'] as const) {
      const account = await call(getAccount, { account_id: me.account.id }, { principal: { ...principal, env } });
      expect(account).toMatchObject({ email, name: 'Wave Swim School', kind: 'school', currency: 'EUR', locale: 'de' });
    }
    expect(me).toMatchObject({ user: { role: 'owner', email, locale: 'de' }, environments: ['live', 'sandbox'] });
  });

  it('is completed by its link after a crash between user and account', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email));
    const token = await users.tokenTo(email, 'sign_up');
    await call(confirmSignUp, { token, password: PASSWORD });
    // As a crash leaves it, before the link is ended.
    await users
      .documents('user_links')
      .updateOne({ purpose: 'sign_up', endedAt: { $ne: null } }, { $set: { endedAt: null } }, { sort: { _id: -1 } });
    const again = await call(confirmSignUp, { token, password: PASSWORD });
    expect(again.data.user.email).toBe(email);
  });

  it('gives no access to who has requested it with the address of somebody else', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email, { account_name: 'Trap', name: 'Mallory' }));
    expect((await users.mailTo(email, 'sign_up')).accountName).toBe('Trap');
    const trap = await users.tokenTo(email, 'sign_up');
    await call(signUp, users.signUpInput(email));
    const own = await until(async () => {
      const { token, accountName } = await users.mailTo(email, 'sign_up');
      return accountName === 'Wave Swim School' ? token : null;
    }, 'the second link is sent');
    expect(await reasonOf(call(confirmSignUp, { token: trap, password: PASSWORD }))).toBe('invalid_link');
    const { data: me } = await call(confirmSignUp, { token: own!, password: 'known to her alone' });
    expect(me).toMatchObject({ user: { name: 'Rita Wave' }, account: { name: 'Wave Swim School' } });
    expect(await reasonOf(signInAs(email))).toBe('wrong_credentials');
    await signInAs(email, 'known to her alone');
  });

  it('of a known address sends a message without a token, and makes nothing', async () => {
    const { email } = await users.anOwner();
    await call(signUp, users.signUpInput(email, { name: 'Somebody else' }));
    expect(await users.mailTo(email, 'known_address')).toMatchObject({ token: null });
  });

  it('sends five mails a day to an address at most', () =>
    ofSeveralTries(async () => {
      const email = users.anAddress();
      for (let time = 0; time < 7; time++) await call(signUp, users.signUpInput(email));
      const id = (await users.tokenTo(email, 'sign_up')).split('.')[1]!;
      const { emailToken } = (await users.documents('user_links').findOne({ _id: id })) as unknown as {
        emailToken: string;
      };
      expect(await users.documents('user_links').countDocuments({ emailToken })).toBe(5);
    }));

  it('is sent once notification is back', async () => {
    const email = users.anAddress();
    users.notification.isDown = true;
    try {
      await call(signUp, users.signUpInput(email));
    } finally {
      users.notification.isDown = false;
    }
    await users.mailTo(email, 'sign_up');
  });

  it('rejects links that are used, expired, cut off or of another kind: invalid_link', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email));
    const token = await users.tokenTo(email, 'sign_up');
    for (const wrong of ['x', token.slice(0, -3), token.replace('sign_up', 'sign_in')])
      expect(await reasonOf(call(confirmSignUp, { token: wrong, password: PASSWORD }))).toBe('invalid_link');
    expect(await reasonOf(call(signInWithLink, { token }))).toBe('invalid_link');
    const id = token.split('.')[1]!;
    const { expiresAt } = (await users.documents('user_links').findOne({ _id: id })) as unknown as { expiresAt: Date };
    await users.documents('user_links').updateOne({ _id: id }, { $set: { expiresAt: new Date(0) } });
    expect(await reasonOf(call(confirmSignUp, { token, password: PASSWORD }))).toBe('invalid_link');
    await users.documents('user_links').updateOne({ _id: id }, { $set: { expiresAt } });
    await call(confirmSignUp, { token, password: PASSWORD });
    expect(await reasonOf(call(confirmSignUp, { token, password: PASSWORD }))).toBe('invalid_link');
  });

  it('makes one user of concurrent confirmations', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email));
    const token = await users.tokenTo(email, 'sign_up');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => call(confirmSignUp, { token, password: PASSWORD })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a sign-in', () => {
  it('has the same error for a wrong password and an unknown address: wrong_credentials', async () => {
    const { email } = await users.anOwner();
    const errors = [
      await rejectionOf(signInAs(email, 'wrong password')),
      await rejectionOf(signInAs(users.anAddress(), 'wrong password')),
    ];
    expect(errors.map((error) => error.toBody())).toEqual([errors[0]!.toBody(), errors[0]!.toBody()]);
    expect(errors[0]!.reason).toBe('wrong_credentials');
  });

  const comparesInVain = async () => {
    const { email } = await users.anOwner();
    const tookMs = async (address: string) => {
      const startedAtMs = performance.now();
      await rejectionOf(signInAs(address, 'wrong password'));
      return performance.now() - startedAtMs;
    };
    await tookMs(email);
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let time = 0; time < 3; time++) {
      known.push(await tookMs(email));
      unknown.push(await tookMs(users.anAddress()));
    }
    // The shortest of each, since a busy machine prolongs some.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 4);
  };
  it('compares a password for an unknown address too', () => ofSeveralTries(comparesInVain));

  it('is limited to ten tries a minute for an address: sign_in_attempts', async () => {
    const { email } = await users.anOwner();
    let tries = 0;
    const isLimited = async () => {
      tries += 1;
      return (await reasonOf(signInAs(email, 'wrong password'))) === 'sign_in_attempts';
    };
    // The right password is accepted if a clock minute ends before it.
    const error = await until(async () => {
      await until(isLimited, 'the address is limited');
      const [outcome] = await Promise.allSettled([signInAs(email)]);
      return outcome.status === 'rejected' ? (outcome.reason as AppError) : null;
    }, 'the right password is limited');
    expect(tries).toBeGreaterThan(10);
    expect([error.reason, error.retryAfterSeconds! <= 60]).toEqual(['sign_in_attempts', true]);
  });
});

describe('a session', () => {
  it('has the rights of the role in each environment', async () => {
    const { cookie, me } = await users.anOwner();
    expect(await users.principalOf(cookie, 'test')).toMatchObject({
      env: 'test',
      accountId: me.account.id,
      userId: me.user.id,
      keyId: me.user.id,
      scopes: me.scopes,
    });
  });

  it('is known by its secret alone: unknown_key for another secret or id', async () => {
    const owner = await users.anOwner();
    const other = await users.anOwner();
    expect(await isEnded({ cookie: { ...owner.cookie, digest: other.cookie.digest } })).toBe('unknown_key');
    expect(await isEnded({ cookie: { ...owner.cookie, id: owner.cookie.id.replace(/.{4}$/, 'zzzz') } })).toBe(
      'unknown_key',
    );
  });

  it('ends with the sign-out: revoked_key; that of another browser stays', async () => {
    const owner = await users.anOwner();
    const second = { cookie: cookieIn(await signInAs(owner.email)) };
    const { cookies } = await call(signOut, { sessionId: owner.cookie.id }, owner);
    expect(cookies).toEqual({ session: null });
    expect(await isEnded(owner)).toBe('revoked_key');
    await verify(second);
    await call(signOutEverywhere, {}, owner);
    expect(await isEnded(second)).toBe('revoked_key');
  });

  it('ends when it is not used for its time: expired_key', async () => {
    const owner = await users.anOwner();
    await users.documents('user_sessions').updateOne({ _id: owner.cookie.id }, { $set: { expiresAt: new Date(0) } });
    expect(await isEnded(owner)).toBe('expired_key');
  });

  it('gets another cookie after a day; the former is valid for a minute', async () => {
    const owner = await users.anOwner();
    const sessions = users.documents('user_sessions');
    const describeMe = (session = owner.cookie) => call(getDashboardMe, { session }, owner);
    expect((await describeMe()).cookies).toEqual({});
    await sessions.updateOne({ _id: owner.cookie.id }, { $set: { rotatedAt: new Date(Date.now() - 86_460_000) } });
    const answers = await Promise.all([describeMe(), describeMe()]);
    expect(answers.filter(({ cookies }) => cookies.session)).toHaveLength(1);
    const renewed = { cookie: cookieIn(answers.find(({ cookies }) => cookies.session)!) };
    await verify(renewed);
    const { expiresAt } = await verify(owner);
    // The service knows the time of the database by an estimate.
    expect(Date.parse(expiresAt!) - Date.now()).toBeLessThanOrEqual(65_000);
    await sessions.updateOne({ _id: owner.cookie.id }, { $set: { formerUntil: new Date(0) } });
    expect(await isEnded(owner)).toBe('unknown_key');
    await verify(renewed);
  });

  it('of a request whose user was removed is session_ended', async () => {
    const owner = await users.anOwner();
    await users.documents('users').deleteOne({ _id: owner.me.user.id });
    expect(await reasonOf(call(getDashboardMe, { session: owner.cookie }, owner))).toBe('session_ended');
    expect(await isEnded(owner)).toBe('revoked_key');
  });
});

describe('a password reset', () => {
  const password = 'another long password';

  it('ends all sessions and all links before it', async () => {
    const owner = await users.anOwner();
    await call(requestPasswordReset, { email: owner.email });
    const first = await users.tokenTo(owner.email, 'password_reset');
    await call(requestPasswordReset, { email: owner.email });
    const second = await until(async () => {
      const token = await users.tokenTo(owner.email, 'password_reset');
      return token === first ? null : token;
    }, 'the second link is sent');
    await call(finishPasswordReset, { token: second, password });
    for (const token of [first, second])
      expect(await reasonOf(call(finishPasswordReset, { token, password: PASSWORD }))).toBe('invalid_link');
    expect(await isEnded(owner)).toBe('revoked_key');
    expect(await reasonOf(signInAs(owner.email))).toBe('wrong_credentials');
    await signInAs(owner.email, password);
  });

  it('of an unknown address answers the same', async () => {
    expect(await call(requestPasswordReset, { email: users.anAddress() })).toEqual({ status: 'reset_sent' });
  });
});

describe('what is stored of users', () => {
  it('contains no name, address, password or cookie in clear', async () => {
    const { email } = await users.anOwner({ name: 'Canary Person' });
    const { cookies } = await signInAs(email);
    const names = ['users', 'user_links', 'user_sessions', 'user_activity', 'sign_in_counts', 'user_owners'];
    const stored = await Promise.all(names.map((name) => users.documents(name).find().toArray()));
    const text = JSON.stringify(stored);
    const secret = cookies.session!.token.split('.')[1]!;
    for (const canary of ['Canary', email, PASSWORD, secret])
      expect([canary, text.includes(canary)]).toEqual([canary, false]);
    expect(text).toContain('$argon2id$');
  });

  it('is a password as argon2id hashes it with the cost that OWASP recommends', async () => {
    const { PasswordsService } = await import('../../src/identity/users/passwords.service.js');
    expect(await new PasswordsService().hash(PASSWORD)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

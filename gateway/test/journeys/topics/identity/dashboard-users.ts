import { describe, expect, it } from '@jest/globals';
import type { ActivityEntry, DashboardMe, SignInResult } from '@swim/contracts';
import { until } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { apiError, expectStatus } from '../../fixtures/customer.js';
import {
  anAddress,
  anOwner,
  browser,
  DEVICE,
  mailbox,
  PASSWORD,
  SESSION,
  signIn,
  stack,
  statusOfMe,
} from '../../fixtures/dashboard-fixtures.js';

describe('an invited viewer', () => {
  it('reads, mints no key, and gets the rights of another role without a new sign-in', async () => {
    const owner = await anOwner();
    const email = anAddress();
    expectStatus(201, await owner.page.dashboard('POST', '/invitations', { email, role: 'viewer' }));
    const token = await mailbox.tokenTo(email);
    const page = browser(1);
    const accept = { token, name: 'Vera View', password: PASSWORD };
    expect(
      await page.dashboard('POST', '/invitations/accept', { ...accept, email: 'other@example.test' }),
    ).toMatchObject(apiError(400, 'unknown_field', 'email'));
    const { data: me } = expectStatus(200, await page.dashboard<DashboardMe>('POST', '/invitations/accept', accept));
    expect(me).toMatchObject({ user: { email, role: 'viewer' }, account: { id: owner.me.account.id } });
    expect(await page.dashboard('POST', '/invitations/accept', accept)).toMatchObject(apiError(400, 'invalid_link'));

    const keys = `/accounts/${me.account.id}/keys`;
    const mint = () => page.api('live', 'POST', keys, { name: 'Till', scopes: ['accounts:read'] });
    expectStatus(200, await page.api('live', 'GET', keys));
    expect(await mint()).toMatchObject(apiError(403, 'missing_scope'));
    expect(await page.dashboard('GET', '/users')).toMatchObject(apiError(403, 'missing_role'));
    expectStatus(200, await owner.page.dashboard('PATCH', `/users/${me.user.id}`, { role: 'developer' }));
    expectStatus(
      201,
      await until(async () => {
        const answer = await mint();
        return answer.status === 403 ? null : answer;
      }, 'the role counts'),
    );
    expectStatus(200, await owner.page.dashboard('DELETE', `/users/${me.user.id}`));
    await until(async () => (await statusOfMe(page)) === 401, 'the session has ended');
  });
});

describe('an authenticator app', () => {
  it('is required at a sign-in, and its code is no use to somebody who has seen it', async () => {
    const { page, email } = await anOwner();
    const { secret } = (await page.dashboard<{ secret: string }>('POST', '/totp')).data;
    const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
    const confirmed = await page.dashboard('POST', '/totp/confirm', { code: codeAt(Date.now()) });
    expectStatus(200, confirmed);
    const [honest, spy] = [browser(), browser(1)];
    for (const each of [honest, spy])
      expect((await signIn(email, PASSWORD, each)).data).toEqual({
        status: 'second_factor_required',
        methods: ['totp', 'recovery_code'],
      });
    expect(honest.cookies.has(SESSION)).toBe(false);
    // That of the next step, which is accepted now and after the current step has ended.
    const code = codeAt(Date.now() + 30_000);
    const signedIn = await honest.dashboard<SignInResult>('POST', '/sign-in/totp', { code });
    expect(signedIn.data).toMatchObject({ status: 'signed_in', me: { user: { second_factors: { totp: true } } } });
    expect([...honest.cookies.keys()].sort()).toEqual([DEVICE, SESSION]);
    expect(await spy.dashboard('POST', '/sign-in/totp', { code })).toMatchObject(apiError(401, 'wrong_code'));
    expect(await browser().dashboard('POST', '/sign-in/totp', { code })).toMatchObject(
      apiError(401, 'sign_in_expired'),
    );
  });
});

describe('somebody who knows the password, and not the code', () => {
  it('is in the activity, and after five codes in a mail to the user', async () => {
    const { page, email } = await anOwner();
    const { secret } = (await page.dashboard<{ secret: string }>('POST', '/totp')).data;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    expectStatus(200, await page.dashboard('POST', '/totp/confirm', { code: totp.generate() }));
    const attacker = browser(1);
    await signIn(email, PASSWORD, attacker);
    const code = totp.generate({ timestamp: Date.now() + 604_800_000 });
    for (let time = 0; time < 5; time++)
      expect(await attacker.dashboard('POST', '/sign-in/totp', { code })).toMatchObject(apiError(401, 'wrong_code'));
    // The mail about the new factor is sent beside it.
    const texts = await Promise.all([2, 3].map((n) => mailbox.textTo(email, n)));
    expect(texts.join()).toContain('mindestens fünf falsche Codes');
    const { data } = await page.dashboard<ActivityEntry[]>('GET', '/activity');
    expect(data.filter(({ action }) => action === 'second_factor_failed')).toHaveLength(5);
  });
});

describe('a cookie that is older than ten minutes', () => {
  it('makes no live key until its user has confirmed it, at any gateway; in the sandbox it does', async () => {
    const { page, me } = await anOwner();
    const keys = `/accounts/${me.account.id}/keys`;
    const body = { name: 'Till', scopes: ['members:read'] };
    await stack.makeSessionsStale(me.user.id);
    expectStatus(200, await page.dashboard('GET', '/me'));
    const required = apiError(403, 'confirmation_required');
    expect(await page.api('live', 'POST', keys, body)).toMatchObject(required);
    expectStatus(201, await page.api('test', 'POST', keys, body));
    const wrong = await page.dashboard('POST', '/confirmation', { password: 'not the password' });
    expect(wrong).toMatchObject(apiError(403, 'wrong_password'));
    expect(await page.api('live', 'POST', keys, body)).toMatchObject(required);
    const copy = page.with({});
    expectStatus(200, await page.dashboard('POST', '/confirmation', { password: PASSWORD }));
    const other = browser(1);
    for (const [name, value] of page.cookies) other.cookies.set(name, value);
    for (const each of [page, other]) expectStatus(201, await each.api('live', 'POST', keys, body));
    expect(await copy.api('live', 'POST', keys, body)).toMatchObject(required);
  });
});

describe('the activity of an account', () => {
  it('has what its users change by the API, in both environments', async () => {
    const { page, me } = await anOwner();
    const account = `/accounts/${me.account.id}`;
    expectStatus(200, await page.api('live', 'PATCH', account, { metadata: { office: '1' } }));
    const key = expectStatus(
      201,
      await page.api('test', 'POST', `${account}/keys`, { name: 'Till', scopes: ['members:read'] }),
    );
    const activity = await until(async () => {
      const { data } = await page.dashboard<ActivityEntry[]>('GET', '/activity');
      return data.length > 2 ? data : null;
    }, 'both changes are in the activity');
    expect(activity.map(({ action, object, environment }) => [environment, action, object])).toEqual([
      ['sandbox', 'POST /v1/accounts/{account_id}/keys', key.data.id],
      ['live', 'PATCH /v1/accounts/{account_id}', me.account.id],
      [null, 'signed_up', null],
    ]);
  });
});

describe('an export of the account', () => {
  it('has the users, invitations and activity, without secrets', async () => {
    const { page, me, email } = await anOwner();
    const { data, text } = expectStatus(200, await page.api('live', 'GET', `/accounts/${me.account.id}/export`));
    expect(data).toMatchObject({
      users: [{ email, role: 'owner' }],
      invitations: [],
      activity: [{ action: 'signed_up' }],
    });
    expect(text).not.toMatch(/argon2/);
  });
});

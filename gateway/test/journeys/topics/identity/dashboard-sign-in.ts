import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKeyWithText, DEMO_LESSONS, DEMO_PUPILS } from '@swim/contracts';
import { newCookieToken, newId } from '@swim/platform';
import { ofSeveralTries, until } from '@swim/testing';
import { apiError, Customer, expectStatus } from '../../fixtures/customer.js';
import {
  anAddress,
  anOwner,
  browser,
  DEVICE,
  mailbox,
  origins,
  PASSWORD,
  SESSION,
  type Signed,
  signIn,
  signUpBody,
  statusOfMe,
} from '../../fixtures/dashboard-fixtures.js';

describe('a sign-up', () => {
  it('leads by a confirmed address to keys, which work until they are revoked', async () => {
    const { page, email, me } = await anOwner();
    expect(me).toMatchObject({
      user: { name: 'Rita Wave', email, locale: 'de', role: 'owner' },
      account: { name: 'Wave Swim School', kind: 'school', timezone: 'Europe/Berlin', currency: 'EUR', locale: 'de' },
      environments: ['live', 'sandbox'],
    });
    const demo = async () => (await page.api<unknown[]>('test', 'GET', '/instructors')).data.length > 0;
    await until(demo, 'the sandbox has demo data');
    expect((await page.api<unknown[]>('live', 'GET', '/instructors')).data).toEqual([]);
    for (const env of ['live', 'test'] as const) {
      const keys = `/accounts/${me.account.id}/keys`;
      const body = { name: 'Till', scopes: ['accounts:read'] };
      const key = expectStatus(201, await page.api<ApiKeyWithText>(env, 'POST', keys, body)).data;
      const holders = origins.map((origin) => new Customer(`${origin}/v1`, me.account.id, key.key!));
      for (const holder of holders) expectStatus(200, await holder.get(`/accounts/${me.account.id}`));
      expectStatus(200, await page.api(env, 'POST', `${keys}/${key.id}/revoke`));
      for (const holder of holders)
        await until(async () => (await holder.get(`/accounts/${me.account.id}`)).status === 401, 'the key is rejected');
    }
  });

  it('makes demo data in the sandbox of a school, with a week of lessons and no e-mail about it; live is empty', async () => {
    const { page, me } = await anOwner();
    const list = async (env: 'live' | 'test', path: string) =>
      (await page.api<Record<string, unknown>[]>(env, 'GET', path)).data;
    const from = Date.now();
    const week = `date_from=${new Date(from).toISOString()}&date_to=${new Date(from + 8 * 86_400_000).toISOString()}`;
    await until(
      async () => (await list('test', '/bookings')).length === DEMO_LESSONS.length,
      'the sandbox has demo data',
    );
    const sessions = await list('test', `/sessions?${week}&limit=100`);
    const expected = DEMO_LESSONS.reduce((sum, { pupils, weekdays }) => sum + pupils.length * weekdays.length, 0);
    expect(sessions).toHaveLength(expected);
    expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(['scheduled']));
    expect(await list('test', '/members')).toHaveLength(DEMO_PUPILS.length);
    expect(await list('test', `/accounts/${me.account.id}/messages`)).toEqual([]);
    for (const path of ['/instructors', '/members', '/bookings', '/sessions'])
      expect([path, await list('live', path)]).toEqual([path, []]);
  });

  it('answers the same for a known address, which gets a message without a token', async () => {
    const { email } = await anOwner();
    const [known, unknown] = [email, anAddress()];
    const answers = await Promise.all(
      [known, unknown].map((each) => browser().dashboard('POST', '/sign-up', signUpBody(each))),
    );
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [202, { status: 'confirmation_sent' }],
      [202, { status: 'confirmation_sent' }],
    ]);
    expect(await mailbox.textTo(known, 2)).toContain('http://swim.test/dashboard/sign-in');
    expect(await mailbox.textTo(known, 2)).not.toContain('token');
  });

  it('is confirmed once: invalid_link for a used, changed or foreign token', async () => {
    const email = anAddress();
    await browser().dashboard('POST', '/sign-up', signUpBody(email));
    const token = await mailbox.tokenTo(email);
    expectStatus(200, await browser().dashboard('POST', '/confirm', { token, password: PASSWORD }));
    for (const wrong of [token, token.slice(0, -2), token.replace('sign_up', 'password_reset'), 'x'])
      expect(await browser().dashboard('POST', '/confirm', { token: wrong, password: PASSWORD })).toMatchObject(
        apiError(400, 'invalid_link', 'token'),
      );
    expect(await browser().dashboard('POST', '/password-reset/finish', { token, password: PASSWORD })).toMatchObject(
      apiError(400, 'invalid_link', 'token'),
    );
  });
});

describe('a sign-in', () => {
  it('sets a cookie that no script reads, and no other site sends', async () => {
    const { email } = await anOwner();
    const page = browser();
    expect((await signIn(email, PASSWORD, page)).data).toMatchObject({ status: 'signed_in', me: { user: { email } } });
    expect(page.attributes.get(SESSION)).toBe('Path=/; Secure; HttpOnly; SameSite=Lax');
    const kept = browser();
    await kept.dashboard('POST', '/sign-in', { email: email.toUpperCase(), password: PASSWORD, remember: true });
    expect(kept.attributes.get(SESSION)).toContain('Max-Age=2592000');
  });

  it('with a wrong password equals that with an unknown address', async () => {
    const { email } = await anOwner();
    const answers = [await signIn(email, 'wrong password'), await signIn(anAddress(), 'wrong password')];
    for (const { status, error } of answers) expect([status, error]).toEqual([401, answers[0]!.error]);
    expect(answers[0]!.error.details.reason).toBe('wrong_credentials');
  });

  it('is limited to ten a minute for an address, known or not: sign_in_attempts, and the right password too', async () => {
    const { email } = await anOwner();
    for (const each of [email, anAddress()]) {
      const limited = async () => {
        const answer = await signIn(each, 'wrong password');
        return answer.status === 429 ? answer : null;
      };
      const answer = await until(limited, 'the address is limited');
      expect(answer).toMatchObject(apiError(429, 'sign_in_attempts'));
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  });

  it('is not limited by the tries of others in a browser in which its users have signed in', async () => {
    const [one, other] = [await anOwner(), await anOwner()];
    // Both users use this browser.
    const page = browser();
    for (const { email } of [one, other]) expectStatus(200, await signIn(email, PASSWORD, page));
    expect(page.attributes.get(DEVICE)).toBe('Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=34560000');
    for (const { email } of [one, other]) {
      await until(async () => (await signIn(email, 'wrong password')).status === 429, 'the address is limited');
      expectStatus(200, await signIn(email, PASSWORD, page));
    }
    const given = { email: one.email, password: PASSWORD, devices: [] };
    expect(await page.dashboard('POST', '/sign-in', given)).toMatchObject(apiError(400, 'unknown_field', 'devices'));
  });

  it('is possible by a link in a mail, also while the address is limited', async () => {
    const { email } = await anOwner();
    await until(async () => (await signIn(email, 'wrong password')).status === 429, 'the address is limited');
    for (const address of [email, anAddress()])
      expect(await browser().dashboard('POST', '/sign-in/link/request', { email: address })).toMatchObject({
        status: 202,
        data: { status: 'link_sent' },
      });
    expect(await mailbox.textTo(email, 2)).toContain('http://swim.test/dashboard/sign-in-link#token=');
    const token = await mailbox.tokenTo(email, 2);
    const page = browser(1);
    expect((await page.dashboard('POST', '/sign-in/link', { token })).data).toMatchObject({ status: 'signed_in' });
    expect(await statusOfMe(page)).toBe(200);
  });

  it('answers JSON alone, whatever page a parameter names', async () => {
    const { email } = await anOwner();
    const answer = await browser().dashboard('POST', '/sign-in?next=https://evil.test', { email, password: PASSWORD });
    expect(answer).toMatchObject(apiError(400, 'unknown_field', 'next'));
    expect(answer.headers.get('location')).toBeNull();
  });
});

describe('a cookie', () => {
  const ends = async () => {
    const { page } = await anOwner();
    const stolen = browser(1);
    stolen.cookies.set(SESSION, page.cookies.get(SESSION)!);
    expect(await statusOfMe(stolen)).toBe(200);
    expectStatus(200, await page.dashboard('POST', '/sign-out'));
    expect(page.cookies.has(SESSION)).toBe(false);
    const startedAtMs = performance.now();
    await until(async () => (await statusOfMe(stolen)) === 401, 'the stolen cookie is rejected');
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    expect(stolen.cookies.has(SESSION)).toBe(false);
  };
  it('is of no use after the sign-out, at any gateway and within a second', () => ofSeveralTries(ends));

  it('of each session ends with a sign-out everywhere', async () => {
    const { page, email } = await anOwner();
    const other = browser(1);
    await signIn(email, PASSWORD, other);
    expectStatus(200, await page.dashboard('POST', '/sign-out-everywhere'));
    await until(async () => (await statusOfMe(other)) === 401, 'the other session has ended');
  });

  it('that nobody was given is session_ended, and without one a request of the API needs a key', async () => {
    const guess = browser();
    guess.cookies.set(SESSION, newCookieToken(newId('uss')).token);
    expect(await guess.dashboard('GET', '/me')).toMatchObject(apiError(401, 'session_ended'));
    expect(await browser().api('test', 'GET', '/sessions')).toMatchObject(apiError(401, 'missing_key'));
  });

  it('needs an environment on routes of the API', async () => {
    const { page } = await anOwner();
    expect(await page.with({ 'swim-environment': null }).api('test', 'GET', '/sessions')).toMatchObject(
      apiError(401, 'missing_key'),
    );
    expect(await page.with({ 'swim-environment': 'prod' }).api('test', 'GET', '/sessions')).toMatchObject(
      apiError(400, 'invalid_value', 'Swim-Environment'),
    );
    expectStatus(200, await page.api('test', 'GET', '/sessions'));
  });
});

describe('a write with a cookie', () => {
  let owner: Signed;
  beforeAll(async () => {
    owner = await anOwner();
  });

  it.each([
    ['without the header Swim-Dashboard', { 'swim-dashboard': null }],
    ['without Origin', { origin: null }],
    ['from another origin', { origin: 'https://evil.test' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['from another site', { 'sec-fetch-site': 'same-site' }],
  ])('%s is csrf_rejected, and changes nothing', async (_, headers) => {
    const { page, me } = owner;
    const forged = page.with(headers);
    const rejected = apiError(403, 'csrf_rejected');
    expect(await forged.api('live', 'PATCH', `/accounts/${me.account.id}`, { name: 'Forged' })).toMatchObject(rejected);
    expect(await forged.dashboard('POST', '/sign-out')).toMatchObject(rejected);
    const { data } = await page.api('live', 'GET', `/accounts/${me.account.id}`);
    expect(data).toMatchObject({ name: 'Wave Swim School' });
  });
});

describe('a password reset', () => {
  it('sets another password once, and ends all sessions', async () => {
    const { page, email } = await anOwner();
    expectStatus(202, await browser().dashboard('POST', '/password-reset', { email }));
    expectStatus(202, await browser().dashboard('POST', '/password-reset', { email }));
    const [first, second] = [await mailbox.tokenTo(email, 2), await mailbox.tokenTo(email, 3)];
    const password = 'another long password';
    expectStatus(200, await browser().dashboard('POST', '/password-reset/finish', { token: first, password }));
    for (const token of [first, second])
      expect(await browser().dashboard('POST', '/password-reset/finish', { token, password: PASSWORD })).toMatchObject(
        apiError(400, 'invalid_link'),
      );
    await until(async () => (await statusOfMe(page)) === 401, 'the session has ended');
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, password)).status).toBe(200);
  });

  it('of an unknown address answers the same, and sends nothing', async () => {
    const email = anAddress();
    expect(await browser().dashboard('POST', '/password-reset', { email })).toMatchObject({
      status: 202,
      data: { status: 'reset_sent' },
    });
    // A later mail of the same queue has arrived.
    await anOwner();
    expect(mailbox.countTo(email)).toBe(0);
  });
});

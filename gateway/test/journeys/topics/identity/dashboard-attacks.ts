import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { apiError, expectStatus } from '../../fixtures/customer.js';
import {
  anAddress,
  anOwner,
  browser,
  mailbox,
  origins,
  PASSWORD,
  SESSION,
  type Signed,
  signIn,
  signUpBody,
  statusOfMe,
} from '../../fixtures/dashboard-fixtures.js';

const EVIL = 'https://evil.test';

describe('a session that an attacker has put into a browser', () => {
  it('is not that of the user who signs in there', async () => {
    const [attacker, victim] = [await anOwner(), await anOwner()];
    const planted = attacker.page.cookies.get(SESSION)!;
    const page = browser();
    page.cookies.set(SESSION, planted);
    expectStatus(200, await signIn(victim.email, PASSWORD, page));
    expect(page.cookies.get(SESSION)).not.toBe(planted);
    expect((await page.dashboard('GET', '/me')).data).toMatchObject({ user: { email: victim.email } });
    expect((await attacker.page.dashboard('GET', '/me')).data).toMatchObject({ user: { email: attacker.email } });
  });

  it('cannot be made by a page of another site: csrf_rejected, and no cookie', async () => {
    const { email } = await anOwner();
    const credentials = { email, password: PASSWORD };
    for (const headers of [{ origin: EVIL }, { origin: null }, { 'swim-dashboard': null }]) {
      const forged = browser().with(headers);
      expect(await forged.dashboard('POST', '/sign-in', credentials)).toMatchObject(apiError(403, 'csrf_rejected'));
      expect(forged.cookies.size).toBe(0);
    }
  });
});

describe('a session', () => {
  let owner: Signed;
  beforeAll(async () => {
    owner = await anOwner();
  });
  const cookie = () => `${SESSION}=${owner.page.cookies.get(SESSION)}`;

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'writes nothing that a form could send: %s',
    async (type) => {
      const page = owner.page.with({ 'content-type': type });
      const unsupported = apiError(415, 'unsupported_media_type');
      expect(await page.dashboard('PATCH', '/me', { name: 'Forged' })).toMatchObject(unsupported);
      expect(await page.api('live', 'PATCH', `/accounts/${owner.me.account.id}`, { name: 'Forged' })).toMatchObject(
        unsupported,
      );
      expect((await owner.page.dashboard('GET', '/me')).data).toMatchObject({
        user: { name: 'Rita Wave' },
        account: { name: 'Wave Swim School' },
      });
    },
  );

  it('is shared with no other origin', async () => {
    for (const [method, path] of [
      ['GET', '/dashboard/api/me'],
      ['OPTIONS', '/dashboard/api/sign-out'],
      ['OPTIONS', `/v1/accounts/${owner.me.account.id}`],
    ] as const) {
      const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'swim-dashboard' };
      const answer = await fetch(origins[0]! + path, {
        method,
        headers: { cookie: cookie(), origin: EVIL, ...preflight },
      });
      const shared = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([method, path, shared]).toEqual([method, path, []]);
    }
  });

  it('is no API key, and of no use to an assistant', async () => {
    const token = owner.page.cookies.get(SESSION)!;
    const asKey = await browser()
      .with({ authorization: `Bearer ${token}` })
      .api('live', 'GET', '/me');
    expect(asKey).toMatchObject(apiError(401, 'malformed_key'));
    const assistant = await fetch(`${origins[0]}/mcp`, {
      method: 'POST',
      headers: {
        cookie: cookie(),
        'swim-dashboard': '1',
        'swim-environment': 'live',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(assistant.status).toBe(401);
  });

  it('ends its streams of events with the sign-out', async () => {
    const { page } = await anOwner();
    const headers = { cookie: `${SESSION}=${page.cookies.get(SESSION)}`, 'swim-environment': 'sandbox' };
    const stream = await fetch(`${origins[1]}/v1/events/stream`, { headers });
    expect(stream.status).toBe(200);
    let hasEnded = false;
    const read = stream.text().then(() => {
      hasEnded = true;
    });
    expectStatus(200, await page.dashboard('POST', '/sign-out'));
    await until(() => hasEnded, 'the stream has ended');
    await read;
  });
});

describe('a code of an authenticator app', () => {
  it('that has set the app up signs nobody in: wrong_code', async () => {
    const { page, email } = await anOwner();
    const { secret } = (await page.dashboard<{ secret: string }>('POST', '/totp')).data;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expectStatus(200, await page.dashboard('POST', '/totp/confirm', { code }));
    const spy = browser();
    await signIn(email, PASSWORD, spy);
    expect(await spy.dashboard('POST', '/sign-in/totp', { code })).toMatchObject(apiError(401, 'wrong_code'));
  });
});

describe('a link in a mail', () => {
  it('leads to the configured address, whatever host the request names', async () => {
    const email = anAddress();
    const page = browser().with({ 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test', referer: EVIL });
    expectStatus(202, await page.dashboard('POST', '/sign-up', signUpBody(email)));
    const text = await mailbox.textTo(email);
    expect(text).toContain('http://swim.test/dashboard/confirm#token=');
    expect(text).not.toContain('evil');
  });

  it('names the account, without what a mail program makes a link of: of a sign-up, and of an invitation', async () => {
    const [email, guest] = [anAddress(), anAddress()];
    const page = browser();
    const body = { ...signUpBody(email), account_name: 'Pay at evil.example/pay', name: 'https://evil.example' };
    expectStatus(202, await page.dashboard('POST', '/sign-up', body));
    const token = await mailbox.tokenTo(email);
    expectStatus(200, await page.dashboard('POST', '/confirm', { token, password: PASSWORD }));
    expectStatus(201, await page.dashboard('POST', '/invitations', { email: guest, role: 'viewer' }));
    for (const text of [await mailbox.textTo(email), await mailbox.textTo(guest)]) {
      expect(text).toContain('„Pay at evil example pay“');
      expect(text).not.toContain('evil.example');
    }
  });
});

describe('a user of another account', () => {
  it('cannot be seen, changed or removed, nor its sessions and invitations: resource_not_found', async () => {
    const [one, other] = [await anOwner(), await anOwner()];
    const invited = await other.page.dashboard('POST', '/invitations', { email: anAddress(), role: 'viewer' });
    const { data: sessions } = await other.page.dashboard<{ id: string }[]>('GET', '/sessions');
    const unknown = apiError(404, 'resource_not_found');
    for (const [method, path, body] of [
      ['PATCH', `/users/${other.me.user.id}`, { role: 'viewer' }],
      ['DELETE', `/users/${other.me.user.id}`],
      ['DELETE', `/sessions/${sessions[0]!.id}`],
      ['DELETE', `/invitations/${String(expectStatus(201, invited).data.id)}`],
    ] as const)
      expect(await one.page.dashboard(method, path, body)).toMatchObject(unknown);
    expect(await statusOfMe(other.page)).toBe(200);
  });
});

it('no page that a browser shows can be put into a frame', async () => {
  for (const path of [
    '/dashboard',
    '/dashboard/sign-in',
    '/dashboard/live/developers/keys',
    '/dashboard/live/settings/security',
    '/docs',
    '/docs/reference/event-types',
    '/unsubscribe?token=a.b.c',
    '/confirm-email?token=a.b.c',
  ]) {
    const { headers } = await fetch(origins[0]! + path);
    expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking } from '@swim/contracts';
import { ofSeveralTries, until } from '@swim/testing';
import {
  anAddress,
  anInstructor,
  anOwner,
  aPupil,
  button,
  fillSignIn,
  generateKey,
  lessonDay,
  type Owner,
  open,
  request,
  stack,
  web,
} from '../../browser-fixtures.js';

/** Shown as it stands, or a script of the data would run. */
const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>{{7*7}}`;

describe('a cookie that was stolen', () => {
  const ends = async () => {
    const { page } = await anOwner();
    const [cookie] = await page.context().cookies(stack.origin);
    const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
    const status = async () => (await fetch(`${stack.origin}/dashboard/api/me`, { headers })).status;
    expect(await status()).toBe(200);
    await open(page, 'live/settings');
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const startedAtMs = performance.now();
    await until(async () => (await status()) === 401, 'the stolen cookie is rejected');
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  };
  it('is of no use within a second of the sign-out', () => ofSeveralTries(ends));
});

describe('a page of another origin', () => {
  let owner: Owner;
  let server: Server;
  let origin: string;
  let content = '';
  beforeAll(async () => {
    owner = await anOwner();
    server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<!doctype html><title>Other</title>${content}`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // The same site, so that the browser does send the cookie.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server?.close());

  it('cannot show the dashboard in a frame', async () => {
    const { page } = owner;
    content = `<iframe src="${stack.origin}/dashboard/live/developers/keys"></iframe>`;
    await page.goto(origin);
    await until(() => web.complaints.some((each) => /frame-ancestors/.test(each)), 'the frame is refused');
    web.complaints.splice(0);
    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
  });

  it.each([
    [
      'a form',
      `<form method="post" enctype="text/plain" action="ORIGIN/dashboard/api/sign-out"><button>Go</button></form>`,
    ],
    [
      'a form to the API',
      `<form method="post" enctype="text/plain" action="ORIGIN/v1/accounts/ID/keys"><button>Go</button></form>`,
    ],
  ])('cannot write by %s', async (_, form) => {
    const { page, me } = owner;
    content = form.replace('ORIGIN', stack.origin).replace('ID', me.account.id);
    await page.goto(origin);
    await button(page, 'Go').click();
    await page.waitForURL(`${stack.origin}/**`);
    expect(await page.textContent('body')).toMatch(/csrf_rejected|unsupported_media_type|missing_key/);
    await open(page, 'live/settings');
    expect((await request(page, 'GET', '/me')).status).toBe(200);
  });

  it('cannot read or write by a script', async () => {
    const { page, me } = owner;
    content = '';
    await page.goto(origin);
    const outcomes = await page.evaluate(
      async ([target, accountId]) => {
        const headers = { 'swim-dashboard': '1', 'swim-environment': 'live', 'content-type': 'application/json' };
        const attempts: [string, RequestInit][] = [
          ['/dashboard/api/me', {}],
          ['/dashboard/api/sign-out', { method: 'POST', headers, body: '{}' }],
          [`/v1/accounts/${accountId}`, { method: 'PATCH', headers, body: '{"name":"Forged"}' }],
          [`/v1/accounts/${accountId}`, { headers }],
        ];
        return Promise.all(
          attempts.map(([path, init]) =>
            fetch(target + path, { credentials: 'include', ...init }).then(
              () => 'answered',
              () => 'blocked',
            ),
          ),
        );
      },
      [stack.origin, me.account.id] as const,
    );
    expect(new Set(outcomes)).toEqual(new Set(['blocked']));
    web.complaints.splice(0);
    await open(page, 'live/settings');
    expect(await request(page, 'GET', '/me')).toMatchObject({
      status: 200,
      data: { account: { name: 'Wave Swim School' } },
    });
  });
});

describe('a link to sign in', () => {
  it.each([
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    '/%2f%2fevil.test',
    '~//evil.test',
  ])('leads to the dashboard and nowhere else: next=%s', async (next) => {
    const { email } = await anOwner();
    const page = await web.page();
    await page.goto(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    await fillSignIn(page, email);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.visitor h1)')).waitFor();
    expect(new URL(page.url()).origin).toBe(stack.origin);
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\//);
  });
});

describe('names that contain a script', () => {
  let owner: Owner;
  const objects: Record<'instructor' | 'member' | 'booking', string> = { instructor: '', member: '', booking: '' };

  beforeAll(async () => {
    owner = await anOwner({ name: HOSTILE, account_name: HOSTILE });
    const { page, office } = owner;
    const instructor = await anInstructor(office, { name: HOSTILE, bio: HOSTILE });
    const member = await aPupil(office, HOSTILE);
    await office.make('/pools', {
      name: HOSTILE,
      address: HOSTILE,
      latitude: 52.5,
      longitude: 13.4,
      timezone: 'Europe/Berlin',
      lanes: 2,
    });
    const booking = await office.make<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [member.id],
      sessions: [{ date: `${lessonDay()}T09:00:00Z`, duration_minutes: 60 }],
      notes: HOSTILE,
    });
    Object.assign(objects, { instructor: instructor.id, member: member.id, booking: booking.id });
    await open(page, 'sandbox/developers/keys');
    await generateKey(page, HOSTILE);
    await open(page, 'sandbox/settings/people');
    await request(page, 'POST', '/invitations', { email: anAddress(), role: 'viewer' });
  });

  it('are typed into the forms of the pages, and stored as they are', async () => {
    const { page } = owner;
    await open(page, `sandbox/members/${objects.member}`);
    await button(page, 'Edit').click();
    const dialog = page.getByRole('dialog');
    const contact = dialog.getByRole('group', { name: 'Emergency contact' });
    await contact.getByLabel('Name').fill(HOSTILE);
    await contact.getByLabel('Phone').fill('+4930123456');
    await contact.getByLabel('Relationship').fill(HOSTILE);
    await dialog.getByLabel('Medical notes').fill(HOSTILE);
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await open(page, 'sandbox/developers/webhooks');
    await button(page, 'Add endpoint').first().click();
    await page.getByRole('dialog').getByLabel('URL').fill('https://example.com/hook');
    await page.getByRole('dialog').getByLabel('Description').fill(HOSTILE);
    await button(page.getByRole('dialog'), 'Add endpoint').click();
    await button(page, 'Done').click();
  });

  it.each([
    ['the calendar', () => `sandbox/calendar?span=day&date=${lessonDay()}`],
    ['the lanes of the calendar', () => `sandbox/calendar?span=day&rows=lanes&date=${lessonDay()}`],
    ['bookings', () => 'sandbox/bookings'],
    ['a booking', () => `sandbox/bookings/${objects.booking}`],
    ['members', () => 'sandbox/members'],
    ['a member', () => `sandbox/members/${objects.member}`],
    ['instructors', () => 'sandbox/instructors'],
    ['an instructor', () => `sandbox/instructors/${objects.instructor}`],
    ['keys', () => 'sandbox/developers/keys'],
    ['webhooks', () => 'sandbox/developers/webhooks'],
    ['users', () => 'sandbox/settings/people'],
    ['activity', () => 'sandbox/settings/activity'],
  ])('are shown as text on the page of %s', async (_, path) => {
    const { page } = owner;
    await open(page, path());
    await page.getByText(HOSTILE, { exact: false }).first().waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });
});

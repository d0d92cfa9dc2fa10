import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Instructor, Member, Session } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Page } from 'playwright-core';
import { Customer } from './customer.js';
import { Mailbox } from './mailbox.js';
import { Stack } from './stack.js';
import { WebBrowser } from './web-browser.js';

const PASSWORD = 'a sentence to remember';
const EMAIL = 'office@example.test';
/** Shown as it stands, or a script of the data would run. */
const HOSTILE = '<img src=x onerror=alert(1)>Kim';
const DAY_MS = 86_400_000;

let mailbox: Mailbox;
let stack: Stack;
let web: WebBrowser;
let page: Page;
let receiver: Server;
const received: string[] = [];

beforeAll(async () => {
  mailbox = await Mailbox.open();
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    response.end('thank you');
  }).listen(0, '127.0.0.1');
  stack = await Stack.start({
    ...mailbox.env,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SIGN_IN_PER_NETWORK_PER_MINUTE: '100000',
  });
  web = await WebBrowser.start(stack.origin);
  page = await web.page();
});
afterAll(async () => {
  await web?.stop();
  await stack?.stop();
  await mailbox?.close();
  receiver?.close();
});
afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

/** Generates a key with every scope that is offered by default, and returns its text. */
async function generateKey(name: string): Promise<string> {
  await button('Generate new key').first().click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button('Generate key').click();
  const key = await page.getByLabel(`Key “${name}”`).inputValue();
  await button('I have stored it').click();
  return key;
}

async function customerOf(key: string): Promise<Customer> {
  const me = await new Customer(`${stack.origin}/v1`, '', key).read<{ account: { id: string } }>('/me');
  return new Customer(`${stack.origin}/v1`, me.account.id, key);
}

describe('the pages of the dashboard', () => {
  let sandboxKey: string;

  it('lead a new school from its sign-up by the mail to its calendar', async () => {
    await page.goto('/dashboard/sign-up');
    await page.getByLabel('Name of the school').fill('Wave Swim School');
    await page.getByLabel('Your name').fill('Rita Wave');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Create account').click();
    await page.getByText('Check your e-mail').waitFor();
    await page.goto(`/dashboard/confirm#token=${await mailbox.tokenTo(EMAIL)}`);
    await button('Confirm and sign in').click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(page.url()).toBe(`${stack.origin}/dashboard/sandbox/calendar`);
  });

  it.each(['live', 'sandbox'])(
    'generate a key of the %s environment that works until it is revoked',
    async (environment) => {
      await page.goto(`/dashboard/${environment}/developers/keys`);
      const key = await generateKey('Till');
      expect(key).toMatch(environment === 'live' ? /^swl_live_/ : /^swl_test_/);
      const customer = await customerOf(key);
      expect((await customer.get('/sessions')).status).toBe(200);
      await button('Revoke “Till”').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Ended keys').waitFor();
      await until(async () => (await customer.once.get('/sessions')).status === 401, 'the revoked key is rejected');
    },
  );

  it('show what a webhook endpoint was sent, and what it answered, and send it again', async () => {
    const { port } = receiver.address() as AddressInfo;
    await page.goto('/dashboard/sandbox/developers/webhooks');
    await button('Add endpoint').first().click();
    await page.getByRole('dialog').getByLabel('URL').fill(`http://127.0.0.1:${port}/`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/);
    await button('Done').click();
    await page.getByRole('link', { name: `http://127.0.0.1:${port}/` }).click();
    await button('Send ping').click();
    await page.getByRole('link', { name: 'ping' }).click();
    await page.getByText('thank you').waitFor();
    expect(await page.locator('pre').first().textContent()).toContain('"type": "ping"');
    await button('Retry now').click();
    await page.getByText('Attempt 2').waitFor();
    expect(new Set(received).size).toBe(1);
  });

  describe('with lessons of an instructor', () => {
    let school: Customer;
    let session: Session;
    let day: string;

    beforeAll(async () => {
      await page.goto('/dashboard/sandbox/developers/keys');
      sandboxKey = await generateKey('Office');
      school = await customerOf(sandboxKey);
      const body = {
        name: HOSTILE,
        email: 'kim@example.test',
        timezone: 'Europe/Berlin',
        hourly_rate_cents: 4800,
        currency: 'EUR',
      };
      const instructor = await school.make<Instructor>('/instructors', body);
      day = new Date(Date.now() + 8 * DAY_MS).toISOString().slice(0, 10);
      const lesson = async (name: string, time: string) => {
        const member = await school.make<Member>(`/accounts/${school.id}/members`, {
          name,
          date_of_birth: '2017-05-04',
        });
        return school.make<Session>('/sessions', {
          instructor_id: instructor.id,
          member_id: member.id,
          date: `${day}T${time}:00Z`,
          duration_minutes: 60,
        });
      };
      session = await lesson('<b>Mia</b>', '09:00');
      await lesson('Noah', '11:00');
    });
    beforeEach(() => page.goto(`/dashboard/sandbox/calendar?span=day&date=${day}`));

    const lessonOf = (name: string) => page.getByRole('button', { name: new RegExp(`60 minutes, ${name}`) });
    const stored = () => school.read<Session>(`/sessions/${session.id}`);

    it('move one by keyboard: a conflict is shown before it is kept, and a suggestion taken instead', async () => {
      await lessonOf('<b>Mia</b>').focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/Noah/);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await button('Move …').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      const at = await dialog.getByLabel('Time').inputValue();
      await dialog.getByLabel('Time').fill(`${String(Number(at.slice(0, 2)) + 2).padStart(2, '0')}:00`);
      await dialog.getByText('Free times nearby').waitFor();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      expect((await stored()).date).toBe(session.date);
      await dialog.locator('.verdict').getByRole('button').first().click();
      await dialog.getByText(/^Free: /).waitFor();
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('The lesson is moved.').waitFor();
      expect((await stored()).date).not.toBe(session.date);
      await button('Undo').click();
      await until(async () => (await stored()).date === session.date, 'the move is undone');
    });

    it('move one by drag, once the time is known to be free', async () => {
      const box = (await lessonOf('<b>Mia</b>').boundingBox())!;
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + 10, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 10 + box.width / 2, y, { steps: 4 });
      await page.mouse.move(box.x + 10 + box.width / 2, y);
      await page.mouse.up();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^Free: /).waitFor();
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('The lesson is moved.').waitFor();
      expect((await stored()).date).toBe(new Date(Date.parse(session.date) + 30 * 60_000).toISOString());
    });

    it('cancel one, with what that costs', async () => {
      await lessonOf('Noah').click();
      await button('Cancel …').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Refund').waitFor();
      await dialog.getByRole('button', { name: 'Cancel the lesson' }).click();
      await page.getByRole('button', { name: /Noah, Cancelled/ }).waitFor();
    });

    it.each([
      'sandbox/calendar',
      'sandbox/statement',
      'sandbox/developers/keys',
      'sandbox/developers/webhooks',
      'sandbox/developers/events',
      'sandbox/developers/clock',
      'live/developers/keys',
      'live/developers/events',
      'sandbox/settings',
      'sandbox/nothing',
    ])('are accessible in both themes: %s', async (path) => {
      await page.goto(`/dashboard/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      expect([...(await web.faultsOf(page, 'light')), ...(await web.faultsOf(page, 'dark'))]).toEqual([]);
      await web.pictures(page, path);
    });
  });

  it('are closed to a visitor, who comes back to the page after the sign-in', async () => {
    page = await web.page(390);
    await page.goto('/dashboard/sandbox/developers/events');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([...(await web.faultsOf(page, 'light')), ...(await web.faultsOf(page, 'dark'))]).toEqual([]);
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill('not the password');
    await button('Sign in').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await button('Menu').click();
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

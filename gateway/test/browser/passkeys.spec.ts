import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@swim/testing';
import type { Page } from 'playwright-core';
import { Browser } from '../journeys/fixtures/browser.js';
import { expectStatus } from '../journeys/fixtures/customer.js';
import { Mailbox } from '../journeys/fixtures/mailbox.js';
import { Stack } from '../journeys/fixtures/stack.js';
import { WebBrowser } from './web-browser.js';

const PASSWORD = 'a sentence to remember';
const EMAIL = 'rita@example.test';
const SIGN_UP = {
  email: EMAIL,
  name: 'Rita Wave',
  account_name: 'Wave Swim School',
  kind: 'school',
  timezone: 'Europe/Berlin',
  locale: 'en',
};

let mailbox: Mailbox;
let stack: Stack;
let web: WebBrowser;
let page: Page;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  const port = await freePort();
  // Passkeys are made for host names only.
  const origin = `http://localhost:${port}`;
  stack = await Stack.start({ ...mailbox.env, PUBLIC_URL: origin });
  await stack.addGateway({ PORT: String(port) });
  web = await WebBrowser.start(origin);
  page = await web.page();
  await addAuthenticator(page);
  const visitor = new Browser(stack.origin);
  expectStatus(202, await visitor.dashboard('POST', '/sign-up', SIGN_UP));
  const confirmation = { token: await mailbox.tokenTo(EMAIL), password: PASSWORD };
  expectStatus(200, await visitor.dashboard('POST', '/confirm', confirmation));
});
afterAll(async () => {
  await web?.stop();
  await stack?.stop();
  await mailbox?.close();
});
afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Gives the page a device with passkeys, whose user confirms every request. */
async function addAuthenticator(of: Page): Promise<void> {
  const session = await of.context().newCDPSession(of);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signInByPassword(): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Sign in').click();
}

const isSignedIn = () => page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();

describe('a user of the dashboard with a passkey', () => {
  it('adds it in the settings, and gets recovery codes', async () => {
    await signInByPassword();
    await isSignedIn();
    await page.goto('/dashboard/sandbox/settings/security');
    await page.getByLabel('Name of the device').fill('Laptop');
    await button('Add passkey').click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.recovery-codes code').count()).toBe(10);
    await button('I have stored it').click();
    await page.getByText('Laptop', { exact: true }).waitFor();
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'passkeys');
    expect(await mailbox.textTo(EMAIL, 2)).toContain('A passkey was added to your user');
  });

  it('renames it', async () => {
    await button('Rename').click();
    await page.getByRole('dialog').getByLabel('Name of the device').fill('Telephone');
    await button('Save').click();
    await page.getByText('Telephone', { exact: true }).waitFor();
  });

  it('signs in with it after the password', async () => {
    await button('Sign out').first().click();
    await page.waitForURL('**/sign-in**');
    await signInByPassword();
    await button('Continue with a passkey').click();
    await isSignedIn();
  });

  it('confirms with it a live key that the session is too old for', async () => {
    const { data } = (await page.evaluate(async () => (await fetch('/dashboard/api/me')).json())) as {
      data: { user: { id: string } };
    };
    await stack.makeSessionsStale(data.user.id);
    await page.goto('/dashboard/live/developers/keys');
    await button('Generate new key').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await button('Generate key').click();
    await button('Use a passkey').click();
    await button('Confirm').click();
    await page.getByLabel('Key “Till”').waitFor();
  });

  it('removes it, and signs in without a second step then', async () => {
    await page.goto('/dashboard/sandbox/settings/security');
    // The sessions below say when they were used as well.
    const passkey = page.getByRole('listitem').filter({ hasText: 'Telephone' });
    await passkey.getByText('Last used').waitFor();
    await passkey.getByRole('button', { name: 'Remove' }).click();
    await button('Continue').click();
    await page.getByText('Telephone', { exact: true }).waitFor({ state: 'detached' });
    await button('Sign out').first().click();
    await page.waitForURL('**/sign-in**');
    await signInByPassword();
    await isSignedIn();
  });
});

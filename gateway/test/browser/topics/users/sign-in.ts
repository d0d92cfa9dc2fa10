import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import {
  anOwner,
  button,
  fillSignIn,
  mailbox,
  type Owner,
  open,
  PASSWORD,
  request,
  stack,
  web,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const ANOTHER = 'another sentence to remember';

/** A page of a visitor. */
async function visitor(path = 'sign-in', width = 1280): Promise<Page> {
  const page = await web.page(width);
  await page.goto(`/dashboard/${path}`);
  return page;
}

describe('a visitor', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });

  it('signs in on a phone, and comes back to the page that was asked for', async () => {
    const page = await visitor('sandbox/bookings?status=pending', 390);
    await fillSignIn(page, owner.email, 'not the password');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/dashboard\/sandbox\/bookings\?status=pending$/);
    await button(page, 'Menu').click();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('gets the same answer for an unknown address as for a wrong password', async () => {
    const answers = await Promise.all(
      [owner.email, 'nobody@example.test'].map(async (email) => {
        const page = await visitor();
        await fillSignIn(page, email, 'not the password');
        return page.getByRole('alert').locator('p').first().textContent();
      }),
    );
    expect(answers[0]).toBe(answers[1]);
  });

  it('signs in while somebody else tries passwords: where the user has signed in before, and elsewhere by a link', async () => {
    const { page, email } = await anOwner();
    expect((await request(page, 'POST', '/sign-out')).status).toBe(200);
    const elsewhere = await visitor();
    const attempt = { email, password: 'not the password' };
    const isLimited = async () => (await request(elsewhere, 'POST', '/sign-in', attempt)).status === 429;
    await until(isLimited, 'the address is limited');
    await fillSignIn(elsewhere, email);
    await elsewhere.getByText('It works at once.').waitFor();
    expect(await web.faultsOf(elsewhere)).toEqual([]);
    await web.pictures(elsewhere, 'sign-in-limited');
    await page.goto('/dashboard/sign-in');
    await fillSignIn(page, email);
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await elsewhere.getByRole('link', { name: 'Sign in by a link to your e-mail address' }).click();
    await elsewhere.getByLabel('E-mail address').fill(email);
    expect(await web.faultsOf(elsewhere)).toEqual([]);
    await web.pictures(elsewhere, 'sign-in-by-link');
    await button(elsewhere, 'Send the link').click();
    await elsewhere.getByText('a link is on its way').waitFor();
    const token = await mailbox.tokenTo(email, 2);
    await elsewhere.goto('/dashboard/sign-in');
    await elsewhere.goto(`/dashboard/sign-in-link?next=/sandbox/bookings#token=${token}`);
    await elsewhere.getByText('This link signs you in once.').waitFor();
    await web.pictures(elsewhere, 'sign-in-link');
    await button(elsewhere, 'Sign in').click();
    await elsewhere.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
    expect(new URL(elsewhere.url()).pathname).toBe('/dashboard/sandbox/bookings');
  });

  it('resets a forgotten password once: the link is of no use a second time, nor when it is changed', async () => {
    const { email } = await anOwner();
    const page = await visitor('reset-password');
    await page.getByLabel('E-mail address').fill(email);
    await button(page, 'Send the link').click();
    await page.getByText('a link is on its way').waitFor();
    const token = await mailbox.tokenTo(email, 2);
    const setPassword = async (link: string) => {
      await page.goto('/dashboard/sign-in');
      await page.goto(`/dashboard/reset-password#token=${link}`);
      await page.getByLabel('New password').fill(ANOTHER);
      await button(page, 'Set password').click();
    };
    await setPassword(token);
    await page.getByText('Your password is changed').waitFor();
    for (const link of [token, `${token.slice(0, -1)}x`]) {
      await setPassword(link);
      await page.getByRole('alert').waitFor();
    }
    await page.goto('/dashboard/sign-in');
    await fillSignIn(page, email, ANOTHER);
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });
});

describe('an authenticator app', () => {
  it('is set up by its secret, asked for at a sign-in, and rejects a code that was used', async () => {
    const { page, email } = await anOwner();
    await open(page, 'live/settings/security');
    await button(page, 'Set up an app').click();
    const dialog = page.getByRole('dialog');
    const codeField = dialog.getByRole('textbox', { name: 'Code' });
    await codeField.waitFor();
    const secret = (await dialog.locator('code').textContent())!;
    const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
    await codeField.fill(codeAt(Date.now()));
    await button(dialog, 'Turn on').click();
    await page.getByText('Your recovery codes').waitFor();
    const [recoveryCode] = await page.locator('.recovery-codes code').allTextContents();
    await button(page, 'I have stored it').click();
    await page.getByText('On', { exact: true }).waitFor();

    const [first, second] = [await visitor(), await visitor()];
    for (const each of [first, second]) {
      await fillSignIn(each, email);
      await each.getByLabel('Code').waitFor();
    }
    // That of the next step, which is accepted now and after the current step has ended.
    const code = codeAt(Date.now() + 30_000);
    for (const each of [first, second]) await each.getByLabel('Code').fill(code);
    await button(first, 'Sign in').click();
    await first.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await button(second, 'Sign in').click();
    await second.getByRole('alert').waitFor();
    await button(second, 'Use a recovery code').click();
    await second.getByLabel('Recovery code').fill(recoveryCode!);
    await button(second, 'Sign in').click();
    await second.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });
});

describe('an authenticator app whose codes others have tried too often', () => {
  it('lets in where the user has signed in before, and leads others to a link by mail', async () => {
    const { page, email, me } = await anOwner();
    const { data: begun } = await request(page, 'POST', '/totp');
    const code = new TOTP({ secret: Secret.fromBase32((begun as { secret: string }).secret) }).generate();
    const { data } = await request(page, 'POST', '/totp/confirm', { code });
    const [recoveryCode] = (data as { recovery_codes: string[] }).recovery_codes;
    const elsewhere = await visitor();
    expect(await elsewhere.getByText('it works at once').count()).toBe(0);
    await fillSignIn(elsewhere, email);
    await elsewhere.getByLabel('Code').fill('123456');
    await stack.changeUser(me.user.id, { wrongCodes: 100 });
    await button(elsewhere, 'Sign in').click();
    await elsewhere.getByText('Too many wrong codes').waitFor();
    await examine(elsewhere, 'second-factor-locked');
    await elsewhere.getByRole('link', { name: 'Sign in by a link to your e-mail address' }).click();
    await elsewhere.getByRole('heading', { name: 'Sign in by link' }).waitFor();
    await elsewhere.goto('/dashboard/sign-in');
    await fillSignIn(elsewhere, email);
    await elsewhere.getByText('Too many wrong codes').waitFor();
    await examine(elsewhere, 'sign-in-locked');
    expect((await request(page, 'POST', '/sign-out')).status).toBe(200);
    await page.goto('/dashboard/sign-in');
    await fillSignIn(page, email);
    await button(page, 'Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(recoveryCode!);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });
});

describe('the sessions of a user', () => {
  it('are listed, and end one by one or all at once', async () => {
    const { page, email } = await anOwner();
    const [one, other] = [await visitor(), await visitor()];
    for (const each of [one, other]) {
      await fillSignIn(each, email);
      await each.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    }
    await open(page, 'live/settings/security');
    await page.getByText('This one').waitFor();
    expect(await page.getByText('This one').count()).toBe(1);
    await button(page, 'End').first().click();
    const statuses = () => Promise.all([one, other].map(async (each) => (await request(each, 'GET', '/me')).status));
    await until(async () => (await statuses()).toSorted().join() === '200,401', 'one of the sessions has ended');
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await until(async () => (await statuses()).join() === '401,401', 'both sessions have ended');
  });
});

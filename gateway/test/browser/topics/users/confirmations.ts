import { beforeEach, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { Customer } from '../../../journeys/fixtures/customer.js';
import { anOwner, button, type Owner, open, PASSWORD, request, stack } from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

describe('a user who has signed in more than ten minutes ago', () => {
  let owner: Owner;
  let page: Page;
  let question: Locator;
  beforeEach(async () => {
    owner = await anOwner();
    page = owner.page;
    question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  });

  /** Fills the form of a new key in, and sends it once the session is not confirmed any more. */
  async function generate(environment: string): Promise<void> {
    await stack.makeSessionsStale(owner.me.user.id);
    await open(page, `${environment}/developers/keys`);
    await button(page, 'Generate new key').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await button(page, 'Generate key').click();
  }

  it('makes a live key once the password is confirmed, after a wrong one', async () => {
    await generate('live');
    await question.getByLabel('Password').fill('not the password');
    await button(question, 'Confirm').click();
    await question.getByText('The password is wrong.').waitFor();
    await examine(page, 'dialog-confirmation');
    await question.getByLabel('Password').fill(PASSWORD);
    await button(question, 'Confirm').click();
    const key = await page.getByLabel('Key “Till”').inputValue();
    expect((await new Customer(`${stack.origin}/v1`, '', key).get('/sessions')).status).toBe(200);
    await button(page, 'I have stored it').click();
    await page.getByRole('row').filter({ hasText: 'Till' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Till' }).count()).toBe(1);
  });

  it('keeps what was filled in when nothing is confirmed, and can send it again', async () => {
    await generate('live');
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    await page.getByText('Confirm that it is you, and try again.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Till');
    await button(page, 'Generate key').click();
    await question.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Key “Till”').waitFor();
  });

  it('makes a sandbox key without being asked', async () => {
    await generate('sandbox');
    await page.getByLabel('Key “Till”').waitFor();
  });

  it('invites somebody once a code of the app is confirmed', async () => {
    const { secret } = (await request(page, 'POST', '/totp', {})).data as { secret: string };
    const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
    expect((await request(page, 'POST', '/totp/confirm', { code: codeAt(Date.now()) })).status).toBe(200);
    await stack.makeSessionsStale(owner.me.user.id);
    await open(page, 'live/settings/people');
    await page.getByLabel('E-mail address').fill('guest@example.test');
    await button(page, 'Invite').click();
    await button(question, 'Use a code from your app').click();
    // That of the next step, which is accepted now and after the current step has ended.
    await question.getByRole('textbox', { name: 'Code' }).fill(codeAt(Date.now() + 30_000));
    await examine(page, 'dialog-confirmation-code');
    await button(question, 'Confirm').click();
    await page.getByText('The invitation is on its way.').waitFor();
  });
});

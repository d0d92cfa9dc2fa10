import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@swim/testing';
import { Customer } from '../../../journeys/fixtures/customer.js';
import {
  aColleague,
  anAddress,
  anOwner,
  button,
  generateKey,
  mailbox,
  type Owner,
  open,
  PASSWORD,
  request,
  stack,
  web,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

describe('an invited user', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });

  it('is invited as a viewer, joins by the link, and cannot mint a key', async () => {
    const email = anAddress();
    await open(owner.page, 'live/settings/people');
    await owner.page.getByLabel('E-mail address').fill(email);
    await button(owner.page, 'Invite').click();
    await owner.page.getByText('The invitation is on its way.').waitFor();
    const page = await web.page();
    await page.goto(`/dashboard/accept-invitation#token=${await mailbox.tokenTo(email)}`);
    await page.getByLabel('Your name').fill('Vera View');
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Accept the invitation').click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(page.url()).not.toContain('token');
    await open(page, 'live/developers/keys');
    expect(await button(page, 'Generate new key').count()).toBe(0);
    const status = await page.evaluate(async (accountId) => {
      const answer = await fetch(`/v1/accounts/${accountId}/keys`, {
        method: 'POST',
        headers: { 'swim-dashboard': '1', 'swim-environment': 'live', 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Till', scopes: ['accounts:read'] }),
      });
      return answer.status;
    }, owner.me.account.id);
    expect(status).toBe(403);
  });

  it('joins in a browser in which another user is signed in, once that one has signed out', async () => {
    const { page, email: other } = await aColleague(owner, 'viewer');
    const email = anAddress();
    await request(owner.page, 'POST', '/invitations', { email, role: 'viewer' });
    await page.goto(`/dashboard/accept-invitation#token=${await mailbox.tokenTo(email)}`);
    await button(page, `Accept as Vera View, ${other}`).click();
    await page.getByText('This link was sent to another e-mail address.').waitFor();
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'invitation-other-user');
    await button(page, 'Sign out instead').click();
    await page.getByLabel('Your name').fill('Nora New');
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Accept the invitation').click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(await request(page, 'GET', '/me')).toMatchObject({ data: { user: { email, name: 'Nora New' } } });
  });

  it('gets the rights of another role without a new sign-in', async () => {
    const { page, me } = await aColleague(owner, 'viewer');
    await open(page, 'sandbox/developers/keys');
    expect(await button(page, 'Generate new key').count()).toBe(0);
    await request(owner.page, 'PATCH', `/users/${me.user.id}`, { role: 'developer' });
    await page.reload();
    const key = await generateKey(page, 'Till');
    expect((await new Customer(`${stack.origin}/v1`, '', key).get('/sessions')).status).toBe(200);
  });

  it('is led to the page to sign in once it is removed', async () => {
    const { page, me } = await aColleague(owner, 'admin');
    await open(page, 'sandbox/members');
    await request(owner.page, 'DELETE', `/users/${me.user.id}`);
    await page.getByRole('link', { name: 'Instructors' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('that is demoted or removed leaves keys, which the page offers to revoke', async () => {
    const { page, me } = await aColleague(owner, 'admin');
    await open(page, 'live/developers/keys');
    const live = new Customer(`${stack.origin}/v1`, '', await generateKey(page, 'Till'));
    await open(page, 'sandbox/developers/keys');
    const sandbox = new Customer(`${stack.origin}/v1`, '', await generateKey(page, 'Tests'));
    await open(owner.page, 'live/settings/people');
    const row = owner.page.getByRole('row').filter({ hasText: me.user.email });
    await row.getByLabel('Role of Vera View').selectOption('viewer');
    const dialog = owner.page.getByRole('dialog', { name: 'Keys of Vera View' });
    await button(dialog, 'Revoke “Till”').click();
    await dialog.getByText('Revoked', { exact: true }).waitFor();
    expect(await web.faultsOf(owner.page)).toEqual([]);
    await web.pictures(owner.page, 'keys-of-a-demoted-user');
    await button(dialog, 'Close').click();
    await until(async () => (await live.once.get('/sessions')).status === 401, 'the revoked key is rejected');
    expect((await sandbox.get('/sessions')).status).toBe(200);
    await button(row, 'Remove Vera View').click();
    await owner.page.getByText(`${me.user.email} is signed out at once`).waitFor();
    await examine(owner.page, 'dialog-remove-a-user');
    await button(owner.page.getByRole('dialog'), 'Continue').click();
    await button(dialog, 'Revoke “Tests”').click();
    await until(async () => (await sandbox.once.get('/sessions')).status === 401, 'the revoked key is rejected');
  });

  it('joins with the address that was invited, whatever address the page sends', async () => {
    const email = anAddress();
    await request(owner.page, 'POST', '/invitations', { email, role: 'viewer' });
    const page = await web.page();
    await page.goto('/dashboard/sign-in');
    const token = await mailbox.tokenTo(email);
    const join = { token, name: 'Vera View', password: PASSWORD };
    expect((await request(page, 'POST', '/invitations/accept', { ...join, email: anAddress() })).status).toBe(400);
    expect(await request(page, 'POST', '/invitations/accept', join)).toMatchObject({
      status: 200,
      data: { user: { email } },
    });
    const later = await web.page();
    await later.goto(`/dashboard/accept-invitation#token=${token}`);
    await later.getByLabel('Your name').fill('Somebody Else');
    await later.getByLabel('Password').fill(PASSWORD);
    await button(later, 'Accept the invitation').click();
    await later.getByRole('alert').waitFor();
  });
});

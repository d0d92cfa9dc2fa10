import { beforeAll, describe, expect, it } from '@jest/globals';
import { anOwner, type Owner, open, web } from '../../browser-fixtures.js';

describe('the request log of a developer', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
    const { office } = owner;
    await office.make(`/accounts/${office.id}/members`, { name: 'Canary', date_of_birth: '2017-05-04' });
    await office.get('/members?search=Canary');
    await office.get('/bookings/canary');
  });

  it('lists what keys requested, and is filtered by status', async () => {
    const { page } = owner;
    await open(page, 'sandbox/developers/requests');
    await page.getByRole('link', { name: 'GET /v1/bookings/{booking_id}' }).waitFor();
    await page.getByRole('link', { name: 'GET /v1/members', exact: true }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('Canary');
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'requests');
    await page.getByLabel('Status').selectOption('4xx');
    await page.getByRole('link', { name: 'GET /v1/members', exact: true }).waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  it('shows the events that a request caused', async () => {
    const { page } = owner;
    await open(page, 'sandbox/developers/requests?method=POST');
    await page.getByRole('link', { name: /POST .*\/members/ }).click();
    await page.getByText('member.created').waitFor();
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'request');
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Usage } from '@swim/contracts';
import { until } from '@swim/testing';
import { anOwner, type Owner, open, web } from '../../browser-fixtures.js';

describe('the usage of a developer', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });

  const chart = () => owner.page.getByRole('img', { name: 'Requests of each hour' });

  it('says that nothing was requested by a key that was not used', async () => {
    const { page } = owner;
    await open(page, 'live/developers/usage');
    await page.getByRole('heading', { name: 'No requests in this time' }).waitFor();
    expect(await chart().count()).toBe(0);
    expect(await web.faultsOf(page)).toEqual([]);
  });

  it('is a chart of the requests of keys, and a table of its numbers', async () => {
    const { page, office } = owner;
    await office.get('/bookings/canary');
    const counted = async () => (await office.read<Usage>('/usage')).totals.client_errors === 1;
    await until(counted, 'the request of the key is counted');
    await open(page, 'sandbox/developers/usage');
    await chart().waitFor();
    expect(await page.locator('rect.usage-client_errors').count()).toBeGreaterThan(0);
    expect(await web.faultsOf(page)).toEqual([]);
    await page.getByText('Hours with requests, as a table').click();
    await page.getByRole('columnheader', { name: 'Rejected (4xx)' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'usage');
  });

  it('is of the time and the scale that its address has', async () => {
    const { page } = owner;
    await page.getByLabel('Time').selectOption('week');
    await page.waitForURL(/range=week/);
    await until(async () => (await page.locator('.usage-bar').count()) === 7 * 24, 'each hour of the week has a bar');
    await page.getByLabel('Scale').selectOption('limit');
    await page.getByText(/^Limit: [\d,]+ an hour$/).waitFor();
    await page.reload();
    await page.getByText(/^Limit: [\d,]+ an hour$/).waitFor();
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'usage-week');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Pool } from '@swim/contracts';
import { until } from '@swim/testing';
import { anOwner, button, open, web } from '../../browser-fixtures.js';

describe('the sandbox of a school', () => {
  it('is reset once the name of the account is typed, and has its demo data then', async () => {
    const { page, office } = await anOwner();
    const { id } = await office.make<Pool>('/pools', {
      name: 'Old Baths',
      address: 'Uferweg 1',
      latitude: 52.5,
      longitude: 13.4,
      timezone: 'Europe/Berlin',
    });
    await open(page, 'sandbox/developers/clock');
    await button(page, 'Reset …').click();
    const confirm = button(page.getByRole('dialog'), 'Reset');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type “Wave Swim School” to confirm').fill('Wave Swim School');
    expect(await web.faultsOf(page)).toEqual([]);
    await confirm.click();
    await page.getByText('The sandbox is reset, and has its demo data.').waitFor();
    await until(async () => (await office.get(`/pools/${id}`)).status === 404, 'what was made before is gone');
    expect((await office.read<unknown[]>('/instructors?limit=1')).length).toBe(1);
    await web.pictures(page, 'sandbox-reset');
  });
});

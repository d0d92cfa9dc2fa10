import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool, Session } from '@swim/contracts';
import { expectStatus } from '../../../journeys/fixtures/customer.js';
import {
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  type Owner,
  open,
  stack,
  web,
} from '../../browser-fixtures.js';

describe('the pools of a school', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });

  const storedPool = async (name: string) =>
    (await owner.office.read<Pool[]>('/pools')).find((each) => each.name === name);

  async function fillNewPool(name: string) {
    await open(owner.page, 'sandbox/pools');
    await button(owner.page, 'Add pool').first().click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('Pool', { exact: true }).fill(name);
    await dialog.getByLabel('Address', { exact: true }).fill('Uferweg 1');
    return dialog;
  }

  it('get the place of the device with its consent, and a time zone that is found by typing', async () => {
    const { page } = owner;
    const dialog = await fillNewPool('Harbour');
    const consent = page.context();
    await consent.clearPermissions();
    await button(dialog, 'Use my location').click();
    await dialog.getByText('Your location could not be found.').waitFor();
    await consent.grantPermissions(['geolocation'], { origin: stack.origin });
    await consent.setGeolocation({ latitude: 40.70861, longitude: -74.00159 });
    await button(dialog, 'Use my location').click();
    const latitude = dialog.getByLabel('Latitude', { exact: true });
    await page.waitForFunction(
      (input) => (input as unknown as { value: string }).value !== '',
      await latitude.elementHandle(),
    );
    const zone = dialog.getByRole('combobox', { name: 'Time zone' });
    expect(await zone.inputValue()).toBe('Europe/Berlin');
    await zone.fill('new york');
    const found = page.getByRole('option', { name: 'America/New York' });
    await found.waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    expect(await web.faultsOf(page)).toEqual([]);
    await found.click();
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await storedPool('Harbour')).toMatchObject({
      latitude: 40.70861,
      longitude: -74.00159,
      timezone: 'America/New_York',
    });
  });

  it('get both coordinates of a text that a map has copied', async () => {
    const dialog = await fillNewPool('Old Baths');
    await dialog.getByLabel('Latitude', { exact: true }).fill('52.532, 13.385');
    expect(await dialog.getByLabel('Longitude', { exact: true }).inputValue()).toBe('13.385');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await storedPool('Old Baths')).toMatchObject({ latitude: 52.532, longitude: 13.385 });
  });

  it('are removed once that is confirmed, and not while a lesson is to take place there', async () => {
    const { page, office } = owner;
    const pool = await office.make<Pool>('/pools', {
      name: 'Lake',
      address: 'Seestr. 1',
      latitude: 52.5,
      longitude: 13.4,
      timezone: 'Europe/Berlin',
    });
    const [instructor, member] = [await anInstructor(office), await aPupil(office, 'Mia')];
    const session = await office.make<Session>('/sessions', {
      instructor_id: instructor.id,
      member_id: member.id,
      location: { type: 'pool', pool_id: pool.id },
      date: `${lessonDay()}T09:00:00Z`,
      duration_minutes: 60,
    });
    await open(page, 'sandbox/pools');
    await button(page, 'Remove “Lake”').click();
    const dialog = page.getByRole('dialog');
    await button(dialog, 'Remove').click();
    await dialog.getByText('Sessions are still to take place in this pool.').waitFor();
    expect(await web.faultsOf(page)).toEqual([]);
    expectStatus(200, await office.post(`/sessions/${session.id}/cancel`, { reason: 'The pool closes.' }));
    await button(dialog, 'Remove').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Remove “Lake”').waitFor({ state: 'detached' });
    expect((await office.get(`/pools/${pool.id}`)).status).toBe(404);
  });
});

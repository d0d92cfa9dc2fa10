import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountExport, Booking, PaymentMethod } from '@swim/contracts';
import { until } from '@swim/testing';
import { advance } from '../../../journeys/fixtures/sandbox-clock.js';
import {
  anAddress,
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  mailbox,
  type Owner,
  open,
  request,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

/** When a month begins in UTC: the one after the next. */
const FIRST = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 2, 1));
const HALF_A_DAY_MS = 43_200_000;

describe('the statement of a school', () => {
  let owner: Owner;
  beforeAll(async () => {
    // Its days begin fourteen hours before those of the browser.
    owner = await anOwner({ timezone: 'Pacific/Kiritimati' });
    const family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    const instructor = await anInstructor(owner.office, { currency: 'CHF' });
    const child = await aPupil(family.office, 'Mia');
    const booking = await family.office.make<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [child.id],
      sessions: [{ date: `${lessonDay()}T09:00:00Z`, duration_minutes: 60 }],
    });
    const [card] = await family.office.read<PaymentMethod[]>(`/accounts/${family.office.id}/payment-methods`);
    const payment = { booking_id: booking.id, payment_method_id: card!.id, amount_cents: 4_800, currency: 'CHF' };
    await family.office.make('/payments', payment);
  });

  it('begins with a currency in which there was money, and shows any other that is chosen', async () => {
    const { page } = owner;
    await open(page, 'sandbox/statement');
    const choice = page.getByLabel('Currency');
    expect(await choice.inputValue()).toBe('CHF');
    await page.getByText('CHF 48.00').first().waitFor();
    await examine(page, 'school-statement-of-another-currency');
    await choice.selectOption('EUR');
    await page.getByText('CHF 48.00').first().waitFor({ state: 'detached' });
    await page.getByText('€0.00').first().waitFor();
  });

  it('has the months of the clock of the account', async () => {
    const { page, office } = owner;
    await advance(office, new Date(FIRST.getTime() - HALF_A_DAY_MS).toISOString());
    await open(page, 'sandbox/statement');
    const month = page.getByRole('combobox', { name: 'Month' });
    const newest = FIRST.toISOString().slice(0, 7);
    await until(async () => (await month.inputValue()) === newest, 'the month has begun');
  });
});

describe('the settings of an account', () => {
  it('are its name, zone and e-mail address; its currency is shown', async () => {
    const { page, email } = await anOwner();
    const later = anAddress();
    await open(page, 'live/settings/account');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.getByLabel('Currency').inputValue()).toBe('EUR');
    expect(await page.getByLabel('Currency').getAttribute('readonly')).not.toBeNull();
    await examine(page, 'settings-account');
    await page.getByLabel('Name', { exact: true }).fill('Brook Swim School');
    await page.getByLabel('E-mail address').fill(later);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await button(page, 'Save').click();
    await page.getByText('Saved').waitFor();
    await page.getByText(later, { exact: false }).first().waitFor();
    await examine(page, 'settings-account-saved');
    expect(await mailbox.textTo(later)).toContain('http://swim.test/');
    const account = { name: 'Brook Swim School', timezone: 'Asia/Tokyo' };
    expect(await request(page, 'GET', '/me')).toMatchObject({ data: { account } });
    await page.reload();
    await page.getByText(later).waitFor();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await until(async () => (await zone.inputValue()) === 'Asia/Tokyo', 'the zone is shown');
    await page.getByText('Brook Swim School').first().waitFor();
  });

  it('gives its owner a copy of its data, and ends: in live it can be restored for seven days, the sandbox is gone at once', async () => {
    const { page } = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    await open(page, 'live/settings/account');
    const saved = page.waitForEvent('download');
    await button(page, 'Download all data').click();
    const { account } = JSON.parse(await readFile(await (await saved).path(), 'utf8')).data as AccountExport;
    expect(account.name).toBe('Family Wave');
    const dialog = page.getByRole('dialog');
    await button(page, 'Delete the account …').click();
    expect(await button(dialog, 'Delete the account').isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Family Wave');
    await examine(page, 'dialog-delete-an-account');
    await button(dialog, 'Delete the account').click();
    await page.getByText('The account can only be read, and is deleted on').waitFor();
    await examine(page, 'settings-account-closing');
    await page.reload();
    await button(page, 'Restore the account').click();
    await button(page, 'Delete the account …').waitFor();
    await open(page, 'sandbox/settings/account');
    await button(page, 'Erase the sandbox …').click();
    await dialog.getByRole('textbox').fill('Family Wave');
    await button(dialog, 'Erase the sandbox').click();
    await page.waitForURL('**/live/settings/account');
    expect(await request(page, 'GET', '/me')).toMatchObject({ data: { environments: ['live'] } });
  });
});

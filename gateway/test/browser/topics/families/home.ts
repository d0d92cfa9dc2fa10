import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Locator } from 'playwright-core';
import { anInstructor, anOwner, button, connect, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

const HOURS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({ day, start: '09:00', end: '18:00' }));

describe('the first page of a family', () => {
  let school: Owner;
  let family: Owner;
  let instructor: Instructor;
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const bookings = () => family.office.read<Booking[]>(`/accounts/${family.office.id}/bookings`);

  beforeAll(async () => {
    school = await anOwner();
    // Its demo data have two children and a card.
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    const availability = { availability_schedule: { weekly: HOURS }, levels_taught: ['beginner'] };
    instructor = await anInstructor(school.office, { name: 'Kim Coach of Mia', ...availability });
    await connect(family.office, school.office);
  });

  it('books for a child with at most five clicks, without a time that is typed', async () => {
    const { page } = family;
    await open(page, 'sandbox/home');
    await examine(page, 'family-home-at-first');
    await click(page.getByRole('link', { name: 'Book lessons for Mia Okafor' }));
    await page.getByRole('heading', { name: 'Book lessons', level: 1 }).waitFor();
    const times = page.getByRole('region', { name: 'Kim Coach of Mia' }).getByRole('button');
    await times.first().waitFor();
    await examine(page, 'family-free-times');
    await click(times.last());
    await page.getByText('Free. Lessons: 1. Price: €24.00.').waitFor();
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 409 && refused.push(answer.url()));
    await click(button(page, 'Book'));
    await page.getByText('Booked.').waitFor();
    // The preview of what is booked by now would say that it is taken.
    expect(refused).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(5);
    expect(await bookings()).toMatchObject([{ instructor_id: instructor.id, amount_due_cents: 2_400 }]);
  });

  it('finds a time of a day and a part of it', async () => {
    const { page } = family;
    await open(page, `sandbox/bookings/new?date=${lessonDay()}`);
    await page.getByLabel('With').selectOption({ label: 'Kim Coach of Mia' });
    await page.getByLabel('Time of day').selectOption('evening');
    const times = page.getByRole('region', { name: 'Kim Coach of Mia' }).getByRole('button');
    await times.first().waitFor();
    expect(await times.allTextContents()).toEqual(['17:00', '17:30']);
    await page.getByRole('region', { name: 'Kim Coach of Mia' }).getByText('Wave Swim School').waitFor();
    await page.getByText('Mia Okafor').click();
    await times.first().click();
    await page.getByText('Free. Lessons: 1.').waitFor();
    await examine(page, 'family-picked-time');
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
  });

  it('moves a lesson to another free time, cancels one, and pays what is due', async () => {
    const { page } = family;
    await open(page, 'sandbox/home');
    const pay = button(page, 'Pay: Mia Okafor');
    await pay.nth(1).waitFor();
    await examine(page, 'family-home');
    await examineOpened(page, /^Move the lesson on .* 17:00/, 'family-move-a-lesson');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Kim Coach of Mia' }).getByRole('button').last().click();
    await dialog.getByText(/^Free: /).waitFor();
    await button(dialog, 'Move').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, /^Move the lesson on .* 17:30/)
      .first()
      .waitFor();
    const asks = { processor_payment_method_id: 'pm_card_threeDSecure2Required' };
    await family.office.make(`/accounts/${family.office.id}/payment-methods`, asks);
    await page.reload();
    await pay.first().click();
    const card = dialog.getByRole('combobox', { name: 'Payment method' });
    await card.selectOption({ label: 'Visa •••• 3220' });
    await button(dialog, 'Pay').click();
    await dialog.getByText('Your bank asks you to confirm this payment.').waitFor();
    await examine(page, 'family-payment-at-the-bank');
    await button(dialog, 'Confirm at the bank').click();
    await pay.nth(1).waitFor({ state: 'detached' });
    await button(page, /^Cancel the lesson on /)
      .first()
      .click();
    await button(dialog, 'Cancel the lesson').click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await bookings()).some(({ status }) => status === 'cancelled'), 'a booking is cancelled');
  });
});

describe('a family without a school', () => {
  it('finds an instructor, books from the page of that one, and then chooses among those of the school', async () => {
    const [school, other] = [await anOwner(), await anOwner({ account_name: 'Far Swim School' })];
    const { page, office } = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    const place = { timezone: 'America/New_York', currency: 'USD', availability_schedule: { weekly: HOURS } };
    await anInstructor(school.office, { name: 'Robin River', ...place });
    await anInstructor(school.office, { name: 'Sam Stream', email: 'sam@example.test', ...place });
    await anInstructor(other.office, { name: 'Farah Far', ...place });
    const offered = () => page.getByLabel('With').locator('option').allTextContents();
    const dialog = page.getByRole('dialog');

    await open(page, 'sandbox/waitlist');
    await examineOpened(page, 'Join the waitlist', 'family-waitlist-without-a-school');
    await dialog.getByRole('heading', { name: 'No school yet' }).waitFor();
    await open(page, 'sandbox/home');
    await page.getByRole('link', { name: 'Book lessons for Mia Okafor' }).click();
    await page.getByRole('heading', { name: 'No school yet' }).waitFor();
    await examine(page, 'family-without-a-school');
    await page.getByRole('link', { name: 'Look for an instructor' }).click();
    await page.getByLabel('Search by name or e-mail').fill('Robin River');
    const found = page.getByRole('row').filter({ hasText: 'Wave Swim School' });
    await found.getByRole('link', { name: 'Robin River' }).click();
    await page.getByRole('link', { name: 'Book', exact: true }).click();

    const times = page.getByRole('region', { name: 'Robin River' });
    await times.getByText('Wave Swim School, America/New_York').waitFor();
    expect(await offered()).toEqual(['All', 'Robin River']);
    await page.getByText('Mia Okafor').click();
    await times.getByRole('button').last().click();
    await page.getByText('Free. Lessons: 1. Price: US$24.00.').waitFor();
    await examine(page, 'family-books-with-a-new-school');
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
    await until(async () => (await offered()).includes('Sam Stream'), 'the school is connected');
    expect(await offered()).not.toContain('Farah Far');
    expect(await page.getByText('Booked.').count()).toBe(1);

    const [booking] = await office.read<Booking[]>(`/accounts/${office.id}/bookings`);
    const [session] = booking!.sessions;
    expect(session!.date).toMatch(/T2[12]:30:00/);
    await open(page, 'sandbox/waitlist');
    await button(page, 'Join the waitlist').first().click();
    await dialog.getByRole('option', { name: 'Sam Stream' }).waitFor({ state: 'attached' });
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Payment } from '@swim/contracts';
import { until } from '@swim/testing';
import { anInstructor, anOwner, aPupil, button, lessonDay, type Owner, open } from '../../browser-fixtures.js';

describe('a family with a booking', () => {
  let family: Owner;
  let booking: Booking;
  beforeAll(async () => {
    const school = await anOwner();
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    const instructor = await anInstructor(school.office);
    const kid = await aPupil(family.office, 'Mia');
    booking = await family.office.make<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [kid.id],
      sessions: [{ date: `${lessonDay()}T09:00:00Z`, duration_minutes: 60 }],
    });
  });

  it('adds a card and pays', async () => {
    const { page, office } = family;
    await open(page, 'sandbox/payment-methods');
    const cards = page.getByText('•••• 4242');
    const before = await cards.count();
    await button(page, 'Add card').first().click();
    await button(page.getByRole('dialog'), 'Add card').click();
    await cards.nth(before).waitFor();
    await open(page, `sandbox/bookings/${booking.id}`);
    await button(page, 'Pay').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Amount (EUR)').inputValue()).toBe('48.00');
    await button(dialog, 'Pay').click();
    await page.getByText('Succeeded').waitFor();
    expect(await office.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({ payment_status: 'paid' });
  });

  it('cancels, with the refund shown before, and sees it afterwards', async () => {
    const { page, office } = family;
    await open(page, `sandbox/bookings/${booking.id}`);
    await button(page, 'Cancel the booking').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('€48.00').waitFor();
    await button(dialog, 'Cancel the booking').click();
    await page.getByText('−€48.00').waitFor();
    const payments = () => office.read<Payment[]>(`/accounts/${office.id}/payments?booking_id=${booking.id}`);
    await until(async () => (await payments())[0]?.status === 'refunded', 'the payment is refunded');
    await page.getByText('Refunded', { exact: true }).first().waitFor();
    // The page has words of its own for the reason that the API gives.
    await page.getByText('Less is due than was paid.').waitFor();
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Credit, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Locator } from 'playwright-core';
import { anInstructor, anOwner, aPupil, button, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

describe('the money of a booking', () => {
  let school: Owner;
  let family: Owner;
  let instructor: Instructor;
  let child: Member;
  let card: PaymentMethod;
  let hour = 7;

  beforeAll(async () => {
    school = await anOwner();
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    instructor = await anInstructor(school.office);
    child = await aPupil(family.office, 'Mia');
    [card] = (await family.office.read<PaymentMethod[]>(`/accounts/${family.office.id}/payment-methods`)) as [
      PaymentMethod,
    ];
  });

  const aBooking = (changes: object = {}, office = family.office): Promise<Booking> => {
    hour += 1;
    return office.make<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [child.id],
      sessions: [{ date: `${lessonDay()}T${String(hour).padStart(2, '0')}:00:00Z`, duration_minutes: 60 }],
      ...changes,
    });
  };
  const read = (id: string) => school.office.read<Booking>(`/bookings/${id}`);

  it('is charged by the consent of the family, which sets and removes the method', async () => {
    const { id } = await aBooking();
    const { page } = family;
    await open(page, `sandbox/bookings/${id}`);
    await examineOpened(page, 'Change the method of the booking', 'family-method-of-a-booking');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Payment method').selectOption({ index: 0 });
    await button(dialog, 'Save').click();
    await page.locator('dd').getByText('•••• 4242').waitFor();
    expect((await read(id)).payment_method_id).toBe(card.id);
    await open(school.page, `sandbox/bookings/${id}`);
    await examine(school.page, 'school-a-booking-to-charge');
    await button(school.page, 'Charge …').click();
    await school.page.getByText('The family has agreed to be charged this amount.').waitFor();
    await examine(school.page, 'dialog-school-charge');
    const refused: string[] = [];
    school.page.on('response', (answer) => answer.status() === 409 && refused.push(answer.url()));
    await button(school.page.getByRole('dialog'), 'Charge').click();
    await school.page.getByText('Succeeded').waitFor();
    await school.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(refused).toEqual([]);
    expect((await read(id)).payment_status).toBe('paid');
  });

  it('is no more than the family has agreed to, though the school may set the price', async () => {
    const { id } = await aBooking({ payment_method_id: card.id });
    const { page } = school;
    await open(page, `sandbox/bookings/${id}`);
    await examineOpened(page, /^Set the price of /, 'school-set-a-price');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Price (EUR)').fill('60');
    await dialog.getByLabel('Reason (optional)').fill('Longer lane');
    await button(dialog, 'Save').click();
    await page.getByText('Longer lane').waitFor();
    await button(page, 'Charge …').click();
    await dialog.getByText('The family has agreed to at most €48.00 more.').waitFor();
    await examine(page, 'dialog-school-charge-too-much');
    await button(dialog, 'Charge €48.00').click();
    await dialog.getByText('The family has agreed to be charged this amount.').waitFor();
    await button(dialog, 'Charge').click();
    await page.getByText('Succeeded').waitFor();
    expect(await read(id)).toMatchObject({ amount_due_cents: 1_200, payment_status: 'partially_paid' });
  });

  it('costs nothing when the school cancels, however late', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await aBooking({ sessions: [{ date: at, duration_minutes: 60 }] });
    const { page } = school;
    await open(page, `sandbox/bookings/${id}`);
    await button(page, 'Cancel the booking').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('€0.00').first().waitFor();
    expect(await dialog.getByText(/Late|Free until/).count()).toBe(0);
    await button(dialog, 'Cancel the booking').click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('whose owner has to confirm it is said in words of the page', async () => {
    const asks = { processor_payment_method_id: 'pm_card_authenticationRequired' };
    const method = await family.office.make<PaymentMethod>(`/accounts/${family.office.id}/payment-methods`, asks);
    const { id } = await aBooking({ payment_method_id: method.id });
    const { page } = school;
    await open(page, `sandbox/bookings/${id}`);
    await button(page, 'Charge …').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The family has agreed to be charged this amount.').waitFor();
    await button(dialog, 'Charge').click();
    await dialog.getByText('Payment method: The bank wants the owner of the card').waitFor();
  });

  it('of a member of the school has prices whose reason is removed, beside what is done with its lessons', async () => {
    const { id: memberId } = await aPupil(school.office, 'Nia');
    const lesson = {
      date: `${lessonDay()}T17:00:00Z`,
      duration_minutes: 60,
      price_cents: 2_000,
      price_reason: 'Trial',
    };
    const { id } = await aBooking({ member_ids: [memberId], sessions: [lesson] }, school.office);
    const { page } = school;
    await open(page, `sandbox/bookings/${id}`);
    await button(page, /^Move the lesson/).waitFor();
    await button(page, /^Cancel the lesson/).waitFor();
    await examineOpened(page, /^Set the price of /, 'school-price-of-an-own-lesson');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason (optional)').fill('');
    await button(dialog, 'Save').click();
    await page.getByText('Trial').waitFor({ state: 'detached' });
    const [session] = await school.office.read<Session[]>(`/sessions?booking_id=${id}`);
    expect(session).toMatchObject({ price_cents: 2_000, price_reason: null });
  });

  it('is recorded where the school got it elsewhere, and so is what is given back', async () => {
    const { id } = await aBooking();
    const { page } = school;
    await open(page, `sandbox/bookings/${id}`);
    expect(await button(page, 'Charge …').count()).toBe(0);
    await examineOpened(page, 'Record a payment …', 'school-record-a-payment');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Received by').selectOption('transfer');
    await dialog.getByLabel('Reference (optional)').fill('TR-2027-14');
    await button(dialog, 'Record').click();
    await page.getByText('TR-2027-14').waitFor();
    expect((await read(id)).payment_status).toBe('paid');
    await family.office.post(`/bookings/${id}/cancel`, {});
    await page.getByText('To return').waitFor();
    await examine(page, 'school-money-to-return');
    await button(page, 'Record a refund').click();
    expect(await dialog.getByLabel('Amount (EUR)').inputValue()).toBe('48.00');
    await dialog.getByLabel('Reason').fill('Cash');
    await button(dialog, 'Record a refund').click();
    await page.getByText('To return').waitFor({ state: 'detached' });
  });

  it('is found on the page of the family that owes it, and collected with four clicks', async () => {
    const { id } = await aBooking();
    const { page } = school;
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await open(page, 'sandbox/families');
    await click(page.getByRole('link', { name: 'Family Wave' }));
    const owed = page.getByRole('region', { name: 'To pay' });
    await owed.getByRole('link', { name: 'Mia' }).last().waitFor();
    await examine(page, 'school-a-family-that-owes');
    await click(owed.getByRole('link', { name: 'Mia' }).last());
    await click(button(page, 'Record a payment …'));
    await click(button(page.getByRole('dialog'), 'Record'));
    await until(async () => (await read(id)).payment_status === 'paid', 'the booking is paid');
    expect(clicks).toBe(4);
  });

  it('is given back as a credit, which is shown as that, and spent on another booking', async () => {
    const { page } = family;
    const booking = await aBooking();
    const payment = { booking_id: booking.id, payment_method_id: card.id, amount_cents: 4_800, currency: 'EUR' };
    await family.office.make('/payments', payment);
    await family.office.post(`/bookings/${booking.id}/cancel`, { refund_as: 'credit' });
    await open(page, `sandbox/bookings/${booking.id}`);
    await page.getByText('Makeup credit', { exact: true }).waitFor();
    expect(await page.getByText('Refunded', { exact: true }).count()).toBe(0);
    await examine(page, 'family-given-as-a-credit');
    await open(page, 'sandbox/payment-methods');
    await page.getByRole('row').filter({ hasText: 'Available' }).getByText('€48.00').first().waitFor();
    await examine(page, 'family-credits');
    await examineOpened(page, 'Use the credit of Mia', 'family-use-a-credit');
    const at = `${lessonDay()}T18:00:00Z`;
    await open(page, `sandbox/bookings/new?member=${child.id}&instructor=${instructor.id}&at=${at}`);
    await page.getByLabel('Makeup credit').selectOption({ index: 1 });
    await page.getByText('Free. Lessons: 1.').waitFor();
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
    const [credit] = await family.office.read<Credit[]>(`/accounts/${family.office.id}/credits`);
    expect(credit!.amount_cents).toBe(2_400);
    await page.getByRole('link', { name: 'Show the booking' }).click();
    await page.getByText('From credits').nth(1).waitFor();
    expect(await page.getByText('Nothing paid yet').count()).toBe(0);
    // Nothing of the payment is left that could be refunded.
    await open(school.page, `sandbox/bookings/${booking.id}`);
    await school.page.getByText('Makeup credit', { exact: true }).waitFor();
    await school.page.getByText('Succeeded').waitFor();
    expect(await button(school.page, 'Refund').count()).toBe(0);
  });
});

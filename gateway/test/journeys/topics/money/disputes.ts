import { beforeAll, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Credit, Payment } from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, paymentBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('a payment that its cardholder disputes', () => {
  let family: Customer;
  let booking: Booking;
  let payment: Payment;
  beforeAll(async () => {
    family = stack.family;
    booking = await aBooking(family, await anInstructor(stack.school), await aMember(family));
    const card = await aCard(family, 'pm_card_dispute_lost');
    payment = await family.make<Payment>('/payments', paymentBody(booking, card));
  });

  const paymentNow = (customer: Customer) => customer.read<Payment>(`/payments/${payment.id}`);
  const bookingNow = () => family.read<Booking>(`/bookings/${booking.id}`);

  it('is marked as disputed, which family and school learn by an event', async () => {
    expect(payment).toMatchObject({ status: 'succeeded', disputed: false });
    for (const customer of [family, stack.school]) {
      const isListed = async () =>
        (await customer.readAll<AccountEvent>('/events?type=payment.disputed')).find(
          ({ data }) => data.object.id === payment.id,
        );
      const event = await until(isListed, 'the event is listed');
      expect(event.data.object).toMatchObject({ object: 'payment', disputed: true });
      expect(await paymentNow(customer)).toMatchObject({ disputed: true, refunded_cents: 0 });
    }
  });

  it('is not paid any more once the dispute is lost: its amount is due again', async () => {
    const isLost = async () => (await bookingNow()).amount_paid_cents === 0;
    await until(isLost, 'the booking counts the lost dispute');
    const { amount_cents } = booking;
    expect(await bookingNow()).toMatchObject({ status: 'confirmed', amount_cents, amount_due_cents: amount_cents });
    expect(await paymentNow(family)).toMatchObject({
      ...{ status: 'succeeded', disputed: true },
      dispute: { status: 'lost', closed_at: expect.any(String) },
    });
    const isListed = async () =>
      (await family.readAll<AccountEvent>('/events?type=payment.dispute_closed')).some(
        ({ data }) => data.object.id === payment.id,
      );
    await until(isListed, 'the event is listed');
    const refund = await stack.school.post(`/payments/${payment.id}/refunds`, { reason: 'Goodwill.' });
    expect(refund).toMatchObject(apiError(409, 'payment_disputed'));
  });

  it('is not refunded by the cancellation of its booking, and gives no makeup credit', async () => {
    const cancelled = await family.post<Booking>(`/bookings/${booking.id}/cancel`, { refund_as: 'credit' });
    expect(cancelled).toMatchObject({ status: 200, data: { status: 'cancelled', amount_due_cents: 0 } });
    expect(await family.readAll(`/payments/${payment.id}/refunds`)).toEqual([]);
    expect(await family.readAll<Credit>(`/accounts/${family.id}/credits`)).toEqual([]);
  });
});

journey('a payment that needs 3-D Secure', () => {
  it.each([
    ['failed', 'failed'],
    ['succeeded', 'paid'],
  ] as const)('is pending until its cardholder has %s', async (outcome, paid) => {
    const { family } = stack;
    const booking = await aBooking(family, await anInstructor(stack.school), await aMember(family));
    const card = await aCard(family, 'pm_card_threeDSecure2Required');
    const pending = await family.make<Payment>('/payments', paymentBody(booking, card));
    expect(pending).toMatchObject({ status: 'pending', next_action: { type: 'use_processor_sdk' } });
    const path = `/sandbox/payments/${pending.id}/authenticate`;
    const { data } = expectStatus(200, await family.post<Payment>(path, { outcome }));
    expect(data).toMatchObject({ id: pending.id, status: outcome, next_action: null });
    const statusNow = async () => (await family.read<Booking>(`/bookings/${booking.id}`)).payment_status;
    await until(async () => (await statusNow()) === paid, 'its booking follows');
    const isListed = async () =>
      (await family.readAll<AccountEvent>(`/events?object_id=${pending.id}`)).map(({ type }) => type)[0];
    expect(await until(isListed, 'its event is listed')).toBe(`payment.${outcome}`);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPayment, getPayment, type InputOf, type Principal, removePaymentMethod } from '@swim/contracts';
import { newId } from '@swim/platform';
import { type RequestOptions, rejectionOf, until } from '@swim/testing';
import {
  aCustomer as aCustomerOf,
  addCard,
  aFamily,
  type Customer,
  chargesOf,
  expectNothing,
  type PaymentHarness,
  paymentsOf,
  pay as payOf,
  schoolOf,
  settleCharges,
  startPayment,
  withKey,
} from './harness.js';
import type { KnownBooking } from './known-bookings.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

const aCustomer = (token?: string, booked?: Partial<KnownBooking>): Promise<Customer> =>
  aCustomerOf(payment, token, booked);
const pay = (customer: Customer, overrides?: Partial<InputOf<typeof createPayment>>, options?: RequestOptions) =>
  payOf(payment, customer, overrides, options);
const rejectedPay = (...input: Parameters<typeof pay>) => rejectionOf(pay(...input));
const get = (id: string, principal: Principal) => payment.harness.call(getPayment, { payment_id: id }, { principal });
// A settlement that times out is repeated after the response.
const isPaid = ({ booking }: Customer, cents: number) =>
  until(() => payment.bookings.paidCents(booking) === cents, `${cents} cents are paid`);
const eventsOf = (id: string) => payment.events.filter(({ objectId }) => objectId === id);

describe('a payment', () => {
  it('is charged once, settled with its booking, and returned complete', async () => {
    const customer = await aCustomer();
    const made = await pay(customer);
    expect(made).toEqual({
      object: 'payment',
      id: made.id,
      account_id: customer.family.accountId,
      booking_id: customer.booking.id,
      payment_method_id: customer.method.id,
      method: 'card',
      reference: null,
      amount_cents: 6_000,
      refunded_cents: 0,
      currency: 'USD',
      status: 'succeeded',
      failure_code: null,
      disputed: false,
      dispute: null,
      next_action: null,
      metadata: {},
      created_at: made.created_at,
      updated_at: made.updated_at,
    });
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await isPaid(customer, 6_000);
    expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'succeeded', amountCents: 6_000 }]);
  });

  it('is readable by its account and by the school of its booking only', async () => {
    const customer = await aCustomer();
    const made = await pay(customer);
    expect(await get(made.id, customer.family)).toEqual(made);
    expect(await get(made.id, schoolOf(customer))).toEqual(made);
    const rejection = await rejectionOf(get(made.id, aFamily()));
    expect(rejection).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    expect(await rejectionOf(get(newId('pay'), customer.family))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('may be for a part of the amount due, until nothing is due', async () => {
    const customer = await aCustomer('pm_card_mastercard');
    await pay(customer, { amount_cents: 2_500 });
    await pay(customer, { amount_cents: 3_500 });
    await isPaid(customer, 6_000);
    expect(await rejectedPay(customer, { amount_cents: 1 })).toMatchObject({ reason: 'already_paid' });
  });

  it('is published to its account and the school, with the request that caused it, as GET returns it', async () => {
    const customer = await aCustomer();
    const requestId = newId('req');
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const made = await pay(customer, {}, { requestId, traceparent });
    await until(() => eventsOf(made.id).length > 0, 'its event is published');
    const { family, booking } = customer;
    expect(eventsOf(made.id)).toEqual([
      expect.objectContaining({ type: 'payment.succeeded', n: 1, env: 'test', object: made }),
    ]);
    expect(eventsOf(made.id)[0]).toMatchObject({
      audience: [family.accountId, booking.schoolId],
      cause: { requestId, idempotencyKey: null, actor: family.keyId, traceparent },
    });
  });

  it('is not affected by the removal of its method once it has begun', async () => {
    const customer = await aCustomer('pm_card_timeout');
    const made = await pay(customer);
    const removal = { payment_method_id: customer.method.id };
    await payment.harness.call(removePaymentMethod, removal, { principal: customer.family });
    expect(await get(made.id, customer.family)).toMatchObject({ status: 'pending' });
    await settleCharges(payment);
    await until(async () => (await get(made.id, customer.family)).status === 'succeeded', 'it is settled by asking');
  });
});

describe('a payment that the card declines', () => {
  it.each([
    ['pm_card_declined', 'card_declined', 'card_declined'],
    ['pm_card_insufficient_funds', 'card_declined', 'insufficient_funds'],
    ['pm_card_requires_action', 'authentication_required', 'authentication_required'],
  ])('with %s is rejected as %s (%s), kept as failed, and frees its booking', async (token, reason, code) => {
    const customer = await aCustomer(token);
    const rejection = await rejectedPay(customer);
    expect(rejection).toMatchObject({ reason, code: 'VALIDATION_ERROR' });
    expect(rejection.details).toMatchObject({ reason, field: 'payment_method_id', decline_code: code });
    const stored = await get(String(rejection.details.payment_id), customer.family);
    expect(stored).toMatchObject({ status: 'failed', failure_code: code, booking_id: customer.booking.id });
    expect((await paymentsOf(payment, customer.family, { status: 'failed' })).items).toEqual([stored]);
    await until(() => [...customer.booking.payments.values()].every(({ state }) => state === 'failed'), 'it is free');
    expect([...customer.booking.payments.values()]).toEqual([{ amountCents: 6_000, state: 'failed' }]);
    await until(() => eventsOf(stored.id).length > 0, 'its event is published');
    expect(eventsOf(stored.id)).toEqual([expect.objectContaining({ type: 'payment.failed', n: 1, object: stored })]);
  });

  it('returns the same to its key, and another card pays the booking', async () => {
    const customer = await aCustomer('pm_card_declined');
    const options = withKey(customer.family, 'declined once');
    const [first, repeated] = [await rejectedPay(customer, {}, options), await rejectedPay(customer, {}, options)];
    expect(repeated.details).toEqual(first.details);
    await until(() => [...customer.booking.payments.values()].every(({ state }) => state === 'failed'), 'it is free');
    const visa = await addCard(payment, customer.family);
    expect((await pay({ ...customer, method: visa })).status).toBe('succeeded');
  });
});

describe('a payment that is rejected', () => {
  it('because its payment method is unknown, or belongs to another account', async () => {
    const customer = await aCustomer();
    for (const id of [newId('pm'), (await aCustomer()).method.id]) {
      const rejection = await rejectedPay(customer, { payment_method_id: id });
      expect(rejection).toMatchObject({ reason: 'not_found', details: { field: 'payment_method_id' } });
    }
    await expectNothing(payment, customer);
  });

  it('because its account cannot see the booking', async () => {
    const customer = await aCustomer();
    for (const booking of [newId('bkg'), (await aCustomer()).booking.id]) {
      const rejection = await rejectedPay(customer, { booking_id: booking });
      expect(rejection).toMatchObject({
        reason: 'not_found',
        code: 'VALIDATION_ERROR',
        details: { field: 'booking_id' },
      });
    }
    await expectNothing(payment, customer);
  });

  it('because it exceeds the amount due', async () => {
    const customer = await aCustomer();
    const rejection = await rejectedPay(customer, { amount_cents: 6_001 });
    expect(rejection).toMatchObject({ reason: 'amount_exceeds_due', code: 'VALIDATION_ERROR' });
    expect(rejection.details).toMatchObject({ field: 'amount_cents', due_cents: 6_000 });
    await expectNothing(payment, customer);
  });

  it('because it is in another currency than the booking', async () => {
    const customer = await aCustomer();
    const rejection = await rejectedPay(customer, { currency: 'EUR' });
    expect(rejection).toMatchObject({ reason: 'currency_mismatch', details: { field: 'currency' } });
    await expectNothing(payment, customer);
  });

  it('because its booking is cancelled', async () => {
    const customer = await aCustomer('pm_card_visa', { cancelled: true });
    expect(await rejectedPay(customer)).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT' });
    await expectNothing(payment, customer);
  });

  it('because its booking is paid', async () => {
    const customer = await aCustomer();
    await pay(customer);
    await isPaid(customer, 6_000);
    expect(await rejectedPay(customer)).toMatchObject({ reason: 'already_paid', code: 'CONFLICT' });
    expect((await paymentsOf(payment, customer.family)).pagination.total).toBe(1);
  });

  it.each([
    ['amount_cents', 0, 'too_small'],
    ['amount_cents', -1, 'too_small'],
    ['amount_cents', 1.5, 'invalid_type'],
    ['amount_cents', '6000', 'invalid_type'],
    ['amount_cents', 100_000_000, 'too_large'],
    ['amount_cents', 2 ** 53, 'invalid_type'],
    ['amount_cents', undefined, 'required'],
    ['currency', 'usd', 'invalid_format'],
    ['currency', 'XXX', 'invalid_value'],
    ['currency', undefined, 'required'],
    ['booking_id', 'bkg_1', 'invalid_id'],
    ['booking_id', undefined, 'required'],
    ['payment_method_id', undefined, 'required'],
    ['capture', 'no', 'invalid_type'],
    ['refund', false, 'unknown_field'],
  ])('has %s %j', async (field, value, reason) => {
    const rejection = await rejectedPay(await aCustomer(), { [field]: value });
    expect(rejection).toMatchObject({ code: 'VALIDATION_ERROR', details: { field, reason } });
  });

  it('because it is live, and no live processor is configured', async () => {
    const customer = await aCustomer();
    const rejection = await rejectedPay(customer, {}, { principal: { ...customer.family, env: 'live' } });
    expect(rejection).toMatchObject({ reason: 'unavailable', code: 'SERVER_ERROR' });
    expect(rejection.message).toBe(
      'No payment processor is configured for the live environment: payments cannot be taken there.',
    );
    await expectNothing(payment, customer);
    expect(payment.bookings.receivedFor(customer.booking)).toEqual([]);
  });
});

describe('a payment with an unknown outcome', () => {
  it('is returned as pending, and succeeds by the processor’s outcome, with one charge', async () => {
    const customer = await aCustomer('pm_card_timeout');
    const made = await pay(customer);
    expect(made).toMatchObject({ status: 'pending', failure_code: null });
    expect((await paymentsOf(payment, customer.family)).items).toEqual([made]);
    expect([...customer.booking.payments.values()]).toEqual([{ amountCents: 6_000, state: 'reserved' }]);
    expect(eventsOf(made.id)).toEqual([]);
    await settleCharges(payment);
    await isPaid(customer, 6_000);
    expect(await get(made.id, customer.family)).toMatchObject({
      ...made,
      status: 'succeeded',
      updated_at: expect.any(String),
    });
    expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'succeeded' }]);
    await until(() => eventsOf(made.id).length === 1, 'its event is published');
  });

  it('counts against the balance meanwhile', async () => {
    const customer = await aCustomer('pm_card_timeout');
    await pay(customer, { amount_cents: 4_000 });
    const rejection = await rejectedPay(customer, { amount_cents: 2_001 });
    expect(rejection).toMatchObject({ reason: 'amount_exceeds_due', details: { due_cents: 2_000 } });
  });
});

describe('a booking whose payments fail', () => {
  it('takes no payment after 20 failures within 24 hours, whatever the card: too_many_attempts', async () => {
    const customer = await aCustomer('pm_card_declined');
    for (let n = 0; n < 20; n++) {
      expect(await rejectedPay(customer, { amount_cents: 100 })).toMatchObject({ reason: 'card_declined' });
    }
    const visa = await addCard(payment, customer.family);
    const rejection = await rejectedPay({ ...customer, method: visa });
    expect(rejection).toMatchObject({
      reason: 'too_many_attempts',
      code: 'CONFLICT',
      details: { field: 'booking_id' },
      retryAfterSeconds: 3_600,
    });
    expect((await paymentsOf(payment, customer.family)).pagination.total).toBe(20);
  });
});

describe('a payment that the processor does not decide on', () => {
  const LONG_AGO = new Date(Date.now() - 2 * 3_600_000);

  it('is cancelled there and fails within a minute, and never comes true later', async () => {
    const customer = await aCustomer('pm_card_timeout');
    const made = await pay(customer);
    const payments = payment.harness.database('payment_test').collection<{ _id: string }>('payments');
    await payments.updateOne({ _id: made.id }, { $set: { reservedAt: LONG_AGO, nextAt: new Date(0) } });
    await until(async () => (await get(made.id, customer.family)).status === 'failed', 'it is abandoned');
    await settleCharges(payment);
    expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'voided' }]);
    const state = () => customer.booking.payments.get(made.id)?.state;
    await until(() => state() === 'failed', 'its booking is free');
    expect((await get(made.id, customer.family)).failure_code).toBe('processing_timeout');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPayment,
  createRefund,
  getPayment,
  type InputOf,
  listRefunds,
  type Payment,
  paymentRefunded,
  paymentSucceeded,
} from '@swim/contracts';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import {
  aCustomer,
  type Customer,
  chargesOf,
  expectNothing,
  type PaymentHarness,
  paymentsOf,
  schoolOf,
  startPayment,
  withKey,
} from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

type Input = InputOf<typeof createPayment>;

const record = (customer: Customer, changes: Partial<Input> = {}, options: RequestOptions = {}): Promise<Payment> => {
  const { id, amountCents, currency } = customer.booking;
  const money = { booking_id: id, amount_cents: amountCents, currency, method: 'cash' as const, ...changes };
  return payment.harness.call(createPayment, money, { principal: schoolOf(customer), ...options });
};
const refund = (customer: Customer, id: string, amount_cents?: number) =>
  payment.harness.call(
    createRefund,
    { payment_id: id, ...(amount_cents ? { amount_cents } : {}), reason: 'The lesson was cancelled.' },
    { principal: schoolOf(customer) },
  );
const eventsOf = (id: string, type: { type: string }) =>
  payment.events.filter((event) => event.objectId === id && event.type === type.type);

describe('money that a school records', () => {
  it.each(['cash', 'transfer', 'terminal', 'voucher'] as const)('by %s has succeeded at once', async (method) => {
    const customer = await aCustomer(payment);
    const made = await record(customer, { method, reference: 'Receipt 17' });
    expect(made).toMatchObject({
      account_id: customer.family.accountId,
      payment_method_id: null,
      method,
      reference: 'Receipt 17',
      status: 'succeeded',
      amount_cents: 6_000,
    });
    expect(payment.bookings.paidCents(customer.booking)).toBe(6_000);
    expect(await chargesOf(payment, made.id)).toEqual([]);
    const family = { principal: customer.family };
    expect(await payment.harness.call(getPayment, { payment_id: made.id }, family)).toEqual(made);
    await until(() => eventsOf(made.id, paymentSucceeded).length === 1, 'the event is published');
    expect(eventsOf(made.id, paymentSucceeded)[0]!.audience).toEqual(
      expect.arrayContaining([customer.family.accountId, customer.booking.schoolId]),
    );
  });

  it('is taken in live, where no processor is configured', async () => {
    const customer = await aCustomer(payment);
    const live = { principal: { ...schoolOf(customer), env: 'live' as const } };
    expect(await record(customer, {}, live)).toMatchObject({ method: 'cash', status: 'succeeded' });
  });

  it('is refunded by recording that: at once, and no processor is concerned', async () => {
    const customer = await aCustomer(payment);
    const { id } = await record(customer);
    expect(await refund(customer, id, 2_000)).toMatchObject({ status: 'succeeded', amount_cents: 2_000 });
    expect((await rejectionOf(refund(customer, id, 4_001))).reason).toBe('amount_exceeds_refundable');
    expect(await refund(customer, id)).toMatchObject({ status: 'succeeded', amount_cents: 4_000 });
    const family = { principal: customer.family };
    expect((await payment.harness.call(listRefunds, { payment_id: id }, family)).items).toHaveLength(2);
    expect(payment.bookings.refundedCents(customer.booking)).toBe(6_000);
    expect(await chargesOf(payment, id)).toEqual([]);
    await until(() => eventsOf(id, paymentRefunded).length === 2, 'both events are published');
    expect(await payment.harness.call(getPayment, { payment_id: id }, family)).toMatchObject({ status: 'refunded' });
  });

  it('is recorded once by repeated and concurrent requests with one key', async () => {
    const customer = await aCustomer(payment);
    const options = withKey(schoolOf(customer), 'cash once');
    const all = await Promise.allSettled([1, 2, 3].map(() => record(customer, { amount_cents: 1_000 }, options)));
    const again = await record(customer, { amount_cents: 1_000 }, options);
    for (const each of all) if (each.status === 'fulfilled') expect(each.value.id).toBe(again.id);
    expect((await paymentsOf(payment, customer.family)).pagination.total).toBe(1);
    expect(payment.bookings.paidCents(customer.booking)).toBe(1_000);
  });

  it('is recorded by the school of the booking alone', async () => {
    const customer = await aCustomer(payment);
    const byFamily = record(customer, {}, { principal: customer.family });
    expect((await rejectionOf(byFamily)).reason).toBe('school_only');
    const byOther = record(customer, {}, { principal: aPrincipal({ kind: 'school' }) });
    expect(await rejectionOf(byOther)).toMatchObject({ reason: 'not_found', details: { field: 'booking_id' } });
    await expectNothing(payment, customer);
  });

  it('is at most what is due, in the currency of the booking', async () => {
    const customer = await aCustomer(payment, 'pm_card_visa', { currency: 'KWD' });
    const reasonOf = async (changes: Partial<Input>) => (await rejectionOf(record(customer, changes))).reason;
    expect(await reasonOf({ amount_cents: 6_010 })).toBe('amount_exceeds_due');
    expect(await reasonOf({ amount_cents: 1_005 })).toBe('not_representable');
    expect(await reasonOf({ currency: 'JPY' })).toBe('currency_mismatch');
    await expectNothing(payment, customer);
  });

  it('keeps nothing in a dry run', async () => {
    const customer = await aCustomer(payment);
    expect(await record(customer, {}, { dryRun: true })).toMatchObject({ method: 'cash', amount_cents: 6_000 });
    await expectNothing(payment, customer);
  });

  it.each<[Partial<Input>, string, string]>([
    [{ payment_method_id: 'pm_01hzy3v7q8e9taw5kxm2n4r6cd' }, 'mutually_exclusive', 'method'],
    [{ capture: false }, 'mutually_exclusive', 'capture'],
    [{ method: 'card' as 'cash' }, 'invalid_value', 'method'],
    [{ reference: 'x'.repeat(201) }, 'too_long', 'reference'],
  ])('is rejected with %o: %s', async (changes, reason, field) => {
    const { booking } = await aCustomer(payment);
    const parsed = createPayment.input.safeParse({
      ...{ booking_id: booking.id, amount_cents: 100, currency: 'USD', method: 'cash' },
      ...changes,
    });
    expect(parsed.error?.issues[0]).toMatchObject({ path: [field] });
    expect(JSON.stringify(parsed.error?.issues)).toContain(reason);
  });
});

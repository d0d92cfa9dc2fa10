import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPayment,
  createRefund,
  type InputOf,
  listOwnRefunds,
  listPayments,
  listRefunds,
  updatePayment,
} from '@swim/contracts';
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
  startPayment,
  storedPayments,
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
describe('a dry run of a payment', () => {
  it('returns the payment that would be made, and stores, reserves and charges nothing', async () => {
    const customer = await aCustomer();
    const validated = await pay(customer, {}, { dryRun: true });
    expect(validated).toMatchObject({ status: 'pending', amount_cents: 6_000, booking_id: customer.booking.id });
    expect(payment.bookings.receivedFor(customer.booking)).toHaveLength(1);
    await expectNothing(payment, customer);
  });

  it('rejects the input that a payment rejects', async () => {
    const customer = await aCustomer();
    const rejection = await rejectedPay(customer, { amount_cents: 9_999 }, { dryRun: true });
    expect(rejection).toMatchObject({ reason: 'amount_exceeds_due' });
    const foreign = await rejectedPay(customer, { payment_method_id: newId('pm') }, { dryRun: true });
    expect(foreign).toMatchObject({ reason: 'not_found', details: { field: 'payment_method_id' } });
  });
});

describe('concurrent payments', () => {
  it('with the same key are one payment and one charge', async () => {
    const customer = await aCustomer();
    const options = withKey(customer.family, 'pay once');
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => pay(customer, {}, options)));
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await pay(customer, {}, options)).toEqual(made[0]);
    expect(await storedPayments(payment, customer.booking)).toHaveLength(1);
    await until(() => payment.bookings.paidCents(customer.booking) === 6_000, 'the booking is paid');
    expect(await chargesOf(payment, made[0]!.id)).toHaveLength(1);
  });

  it('without a key never take more than the amount due', async () => {
    const customer = await aCustomer();
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => pay(customer, { amount_cents: 2_500 })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await until(() => payment.bookings.paidCents(customer.booking) === 5_000, 'two are settled');
    expect(await storedPayments(payment, customer.booking)).toHaveLength(2);
  });
});

describe('40 racers who pay one booking in full', () => {
  it('charge it once', async () => {
    const customer = await aCustomer();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => pay(customer)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await until(() => payment.bookings.paidCents(customer.booking) === 6_000, 'the booking is paid');
    const ids = payment.bookings.receivedFor(customer.booking).map(({ paymentId }) => paymentId);
    const charges = await Promise.all([...new Set(ids)].map((id) => chargesOf(payment, id)));
    expect(charges.flat()).toHaveLength(1);
  });
});

describe('listing payments', () => {
  it('returns them newest first, page by page, to the account and the school alike', async () => {
    const customer = await aCustomer();
    const made: string[] = [];
    for (const amount_cents of [1_000, 1_500, 500]) made.unshift((await pay(customer, { amount_cents })).id);
    for (const reader of [customer.family, schoolOf(customer)]) {
      const first = await paymentsOf(payment, reader, { limit: 2 });
      expect(first.pagination).toMatchObject({ has_more: true, total: 3 });
      const rest = await paymentsOf(payment, reader, { limit: 2, cursor: first.pagination.next_cursor! });
      expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made);
    }
  });

  it('without an account returns those of the caller', async () => {
    const customer = await aCustomer();
    const made = await pay(customer);
    for (const principal of [customer.family, schoolOf(customer)]) {
      const { items } = await payment.harness.call(listPayments, {}, { principal });
      expect(items.map(({ id }) => id)).toEqual([made.id]);
    }
  });

  it('filters by status and booking, and binds the cursor to both', async () => {
    const customer = await aCustomer();
    const other = payment.bookings.booking({ accountId: customer.family.accountId });
    await pay(customer, { amount_cents: 1_000 });
    await pay(customer, { amount_cents: 1_000 });
    await pay({ ...customer, booking: other });
    const declined = { ...customer, method: await addCard(payment, customer.family, 'pm_card_declined') };
    await rejectedPay(declined, { amount_cents: 500 });
    const { family, booking } = customer;
    expect((await paymentsOf(payment, family, { booking_id: booking.id })).pagination.total).toBe(3);
    expect((await paymentsOf(payment, family, { booking_id: booking.id, status: 'succeeded' })).pagination.total).toBe(
      2,
    );
    expect((await paymentsOf(payment, family, { status: 'failed' })).items).toMatchObject([{ amount_cents: 500 }]);
    expect((await paymentsOf(payment, family, { status: 'refunded' })).items).toEqual([]);
    expect((await paymentsOf(payment, family, { status: 'failed,succeeded' })).pagination.total).toBe(4);
    const { next_cursor: cursor } = (await paymentsOf(payment, family, { booking_id: booking.id, limit: 1 }))
      .pagination;
    const refiltered = paymentsOf(payment, family, { booking_id: other.id, cursor: cursor! });
    expect(await rejectionOf(refiltered)).toMatchObject({ reason: 'invalid_cursor' });
  });

  it('of refunds binds the cursor to the payment, and not to the account alone', async () => {
    const customer = await aCustomer();
    const { family, booking } = customer;
    const payments = [await pay(customer, { amount_cents: 1_000 }), await pay(customer, { amount_cents: 1_000 })];
    const isDone = async () => (await storedPayments(payment, booking)).every(({ step }) => step === 'done');
    await until(isDone, 'the payments are settled');
    for (const { id: payment_id } of [...payments, ...payments]) {
      const input = { payment_id, amount_cents: 100, reason: 'goodwill' };
      await payment.harness.call(createRefund, input, { principal: schoolOf(customer) });
    }
    const [one, other] = payments.map(({ id }) => id) as [string, string];
    const refundsOf = (payment_id: string, cursor?: string) =>
      payment.harness.call(listRefunds, { payment_id, limit: 1, ...(cursor ? { cursor } : {}) }, { principal: family });
    const cursor = (await refundsOf(one)).pagination.next_cursor!;
    expect((await refundsOf(one, cursor)).items).toHaveLength(1);
    expect(await rejectionOf(refundsOf(other, cursor))).toMatchObject({ reason: 'invalid_cursor' });
    const ofAccount = { account_id: family.accountId, cursor };
    const listed = payment.harness.call(listOwnRefunds, ofAccount, { principal: family });
    expect(await rejectionOf(listed)).toMatchObject({ reason: 'invalid_cursor' });
  });

  it('with ids and updated_from has only those that changed since', async () => {
    const customer = await aCustomer();
    const first = await pay(customer, { amount_cents: 1_000 });
    const second = await pay(customer, { amount_cents: 1_500 });
    const query = { ids: `${first.id},${second.id}`, updated_from: second.updated_at };
    expect((await paymentsOf(payment, customer.family, query)).items.map(({ id }) => id)).toEqual([second.id]);
  });

  it('rejects another account', async () => {
    const work = paymentsOf(payment, aFamily(), { account_id: newId('acct') });
    expect(await rejectionOf(work)).toMatchObject({ reason: 'foreign_account', code: 'AUTHORIZATION_ERROR' });
  });
});

describe('metadata of a payment', () => {
  const update = (payment_id: string, metadata: Record<string, string | null>, options: RequestOptions) =>
    payment.harness.call(updatePayment, { payment_id, changes: { metadata } }, options);

  it('is set by payer and school alike, merged, and filters lists', async () => {
    const customer = await aCustomer();
    const { family } = customer;
    const made = await pay(customer, { metadata: { invoice: '4711' } });
    expect(made.metadata).toEqual({ invoice: '4711' });
    const done = () =>
      until(() => update(made.id, { term: 'May' }, { principal: family }).catch(() => null), 'it is over');
    expect(await done()).toMatchObject({ metadata: { invoice: '4711', term: 'May' } });
    const bySchool = await update(made.id, { invoice: null, paid_by: 'bank' }, { principal: schoolOf(customer) });
    expect(bySchool.metadata).toEqual({ term: 'May', paid_by: 'bank' });
    const found = async (metadata: Record<string, string>) =>
      (await paymentsOf(payment, family, { metadata })).items.map(({ id }) => id);
    expect(await found({ term: 'May', paid_by: 'bank' })).toEqual([made.id]);
    expect(await found({ invoice: '4711' })).toEqual([]);
  });

  it('rejects a payment that the account does not see, one in progress, and a 51st key', async () => {
    const customer = await aCustomer('pm_card_timeout');
    const { family } = customer;
    const pending = await pay(customer, { amount_cents: 1_000 });
    const asFamily = { principal: family };
    expect(await rejectionOf(update(pending.id, { a: 'b' }, { principal: aFamily() }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await rejectionOf(update(pending.id, { a: 'b' }, asFamily))).toMatchObject({ reason: 'change_in_progress' });
    expect(await update(pending.id, { a: 'b' }, { ...asFamily, dryRun: true })).toMatchObject({ metadata: { a: 'b' } });
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x']));
    const full = await pay(
      { ...customer, method: await addCard(payment, family) },
      { amount_cents: 500, metadata: keys },
    );
    const reason = () => rejectionOf(update(full.id, { more: 'x' }, asFamily)).then((error) => error.reason);
    expect(await until(async () => (await reason()) !== 'change_in_progress' && reason(), 'it is over')).toBe(
      'too_long',
    );
  });
});

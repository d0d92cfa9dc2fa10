import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createRefund,
  getPayment,
  type InputOf,
  listOwnRefunds,
  listRefunds,
  type Principal,
  type Refund,
  refundForBooking,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { SimulatorAdapter } from '../src/processor/simulator/simulator.adapter.js';
import {
  aCustomer as aCustomerOf,
  aFamily,
  type Customer,
  chargesOf,
  lapse,
  type PaymentHarness,
  pay,
  schoolOf,
  startPayment,
  storedPayments,
  storedRefunds,
} from './harness.js';

const REASON = 'The pool was closed.';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

interface Paid {
  customer: Customer;
  school: Principal;
  id: string;
}

/** A payment of 6 000 cents that its booking counts. */
async function aPaid(token?: string): Promise<Paid> {
  const customer = await aCustomerOf(payment, token);
  const { id } = await pay(payment, customer);
  const isDone = async () => (await storedPayments(payment, customer.booking)).every(({ step }) => step === 'done');
  await until(isDone, 'the payment is settled');
  return { customer, school: schoolOf(customer), id };
}

const refund = (
  { id, school }: Paid,
  input: Partial<InputOf<typeof createRefund>> = {},
  options: RequestOptions = {},
): Promise<Refund> =>
  payment.harness.call(createRefund, { payment_id: id, reason: REASON, ...input }, { principal: school, ...options });
const refundsOf = ({ id, school }: Paid, input = {}, principal = school) =>
  payment.harness.call(listRefunds, { payment_id: id, ...input }, { principal });
const get = ({ id, school }: Paid) => payment.harness.call(getPayment, { payment_id: id }, { principal: school });
const isBack = ({ customer }: Paid, cents: number) =>
  until(() => payment.bookings.refundedCents(customer.booking) === cents, `the booking counts ${cents} as refunded`);
const eventsOf = ({ id }: Paid) => payment.events.filter(({ objectId }) => objectId === id);
const areDone = ({ id }: Paid) =>
  until(async () => (await storedRefunds(payment, id)).every(({ step }) => step === 'done'), 'all refunds are done');

describe('POST /payments/{payment_id}/refunds', () => {
  it('without an amount refunds all, once, with an event, and its booking counts it', async () => {
    const paid = await aPaid();
    const made = await refund(paid);
    expect(made).toEqual({
      object: 'refund',
      id: made.id,
      payment_id: paid.id,
      amount_cents: 6_000,
      currency: 'USD',
      reason: REASON,
      status: 'succeeded',
      ...{ created_at: made.created_at, updated_at: made.updated_at },
    });
    await isBack(paid, 6_000);
    expect(await get(paid)).toMatchObject({ status: 'refunded', refunded_cents: 6_000 });
    expect(await chargesOf(payment, paid.id)).toMatchObject([{ refundedCents: 6_000 }]);
    await until(() => eventsOf(paid).length > 1, 'its event is published');
    expect(eventsOf(paid)[1]).toMatchObject({ type: 'payment.refunded', n: 2, object: await get(paid) });
    expect(JSON.stringify(eventsOf(paid))).not.toContain(REASON);
  });

  it('in parts is partially_refunded until the last cent, and rejects more: amount_exceeds_refundable', async () => {
    const paid = await aPaid();
    await refund(paid, { amount_cents: 1_500 });
    expect(await get(paid)).toMatchObject({ status: 'partially_refunded', refunded_cents: 1_500 });
    const rejection = await rejectionOf(refund(paid, { amount_cents: 4_501 }));
    expect(rejection).toMatchObject({ reason: 'amount_exceeds_refundable', code: 'VALIDATION_ERROR' });
    expect(rejection.details).toMatchObject({ field: 'amount_cents', refundable_cents: 4_500 });
    await refund(paid);
    await isBack(paid, 6_000);
    expect(await get(paid)).toMatchObject({ status: 'refunded', refunded_cents: 6_000 });
    expect(await rejectionOf(refund(paid))).toMatchObject({ reason: 'amount_exceeds_refundable' });
    expect((await chargesOf(payment, paid.id))[0]!.refunds).toHaveLength(2);
  });

  it('by many at once never refunds more than was charged', async () => {
    const paid = await aPaid();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refund(paid, { amount_cents: 2_500 })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await isBack(paid, 5_000);
    expect(await get(paid)).toMatchObject({ refunded_cents: 5_000, status: 'partially_refunded' });
    expect(await chargesOf(payment, paid.id)).toMatchObject([{ refundedCents: 5_000 }]);
  });

  it('with one key by many at once is one refund', async () => {
    const paid = await aPaid();
    const options = { idempotencyKey: 'refund once' };
    const some = Array.from({ length: 10 }, () => refund(paid, { amount_cents: 1_000 }, options));
    await Promise.allSettled(some);
    const made = await refund(paid, { amount_cents: 1_000 }, options);
    expect((await refundsOf(paid)).items.map(({ id }) => id)).toEqual([made.id]);
    await isBack(paid, 1_000);
  });

  it('by the payer is rejected: school_only; by others: resource_not_found', async () => {
    const paid = await aPaid();
    const by = (principal: Principal) => rejectionOf(refund({ ...paid, school: principal }));
    expect(await by(paid.customer.family)).toMatchObject({ reason: 'school_only', code: 'AUTHORIZATION_ERROR' });
    expect(await by(aPrincipal({ kind: 'school' }))).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    expect(await storedRefunds(payment, paid.id)).toEqual([]);
  });

  it.each([
    ['pm_card_timeout', 'pending'],
    ['pm_card_visa', 'authorized'],
  ])('of a payment with %s that is %s is rejected: invalid_state', async (token, status) => {
    const customer = await aCustomerOf(payment, token);
    const { id } = await pay(payment, customer, { capture: false });
    const rejection = await rejectionOf(refund({ customer, school: schoolOf(customer), id }));
    expect(rejection).toMatchObject({ reason: 'invalid_state', code: 'CONFLICT', details: { status } });
  });

  it('while a capture has no outcome is rejected: invalid_state', async () => {
    const customer = await aCustomerOf(payment);
    const { id } = await pay(payment, customer, { capture: false });
    const payments = payment.harness.database('payment_test').collection<{ _id: string }>('payments');
    await payments.updateOne({ _id: id }, { $set: { step: 'capture', nextAt: new Date(Date.now() + 3_600_000) } });
    const rejection = await rejectionOf(refund({ customer, school: schoolOf(customer), id }));
    expect(rejection).toMatchObject({ reason: 'invalid_state', details: { status: 'authorized' } });
    await payments.updateOne({ _id: id }, { $set: { step: 'done', nextAt: null } });
  });

  it('before its booking counts the payment is rejected: change_in_progress', async () => {
    const paid = await aPaid();
    const payments = payment.harness.database('payment_test').collection<{ _id: string }>('payments');
    await payments.updateOne({ _id: paid.id }, { $set: { step: 'settle' } });
    expect(await rejectionOf(refund(paid))).toMatchObject({ reason: 'change_in_progress' });
  });

  it('is at most 100 times for a payment: limit_reached', async () => {
    const paid = await aPaid();
    await refund(paid, { amount_cents: 1 });
    const refunds = payment.harness.database('payment_test').collection<{ _id: string }>('refunds');
    const [one] = await refunds.find({ paymentId: paid.id } as object).toArray();
    await refunds.insertMany(Array.from({ length: 99 }, () => ({ ...one!, _id: newId('rfd'), nextAt: null })));
    expect(await rejectionOf(refund(paid, { amount_cents: 1 }))).toMatchObject({ reason: 'limit_reached' });
  });

  it.each([
    ['amount_cents', 0, 'too_small'],
    ['amount_cents', -1, 'too_small'],
    ['amount_cents', 1.5, 'invalid_type'],
    ['amount_cents', 2 ** 53, 'invalid_type'],
    ['reason', undefined, 'required'],
    ['reason', '', 'too_short'],
    ['reason', 'x'.repeat(501), 'too_long'],
    ['currency', 'USD', 'unknown_field'],
    ['payment_id', 'pay_1', 'invalid_id'],
  ])('rejects %s %j', async (field, value, reason) => {
    const paid = { id: newId('pay'), school: aPrincipal({ kind: 'school' }) } as Paid;
    const rejection = await rejectionOf(refund(paid, { [field]: value }));
    expect(rejection).toMatchObject({ code: 'VALIDATION_ERROR', details: { field, reason } });
  });

  it('in a dry run returns the refund, and stores and refunds nothing', async () => {
    const paid = await aPaid();
    expect(await refund(paid, {}, { dryRun: true })).toMatchObject({ amount_cents: 6_000, status: 'pending' });
    const tooMuch = refund(paid, { amount_cents: 6_001 }, { dryRun: true });
    expect(await rejectionOf(tooMuch)).toMatchObject({ reason: 'amount_exceeds_refundable' });
    expect(await storedRefunds(payment, paid.id)).toEqual([]);
    expect(paid.customer.booking.refunds.size).toBe(0);
  });

  it('stores its reason encrypted', async () => {
    const paid = await aPaid();
    await refund(paid);
    const [stored] = await storedRefunds(payment, paid.id);
    expect(typeof stored!.reason).toBe('object');
    expect(JSON.stringify(stored)).not.toContain('pool');
  });
});

describe('a refund that the processor fails', () => {
  it('stays failed, is tried again under another key, and succeeds', async () => {
    const paid = await aPaid('pm_card_refund_fails');
    const made = await refund(paid);
    expect(made.status).toBe('failed');
    expect(await get(paid)).toMatchObject({ status: 'succeeded', refunded_cents: 0 });
    expect(await rejectionOf(refund(paid))).toMatchObject({ reason: 'amount_exceeds_refundable' });
    await lapse(payment);
    await isBack(paid, 6_000);
    expect((await refundsOf(paid)).items).toMatchObject([{ id: made.id, status: 'succeeded' }]);
    expect((await chargesOf(payment, paid.id))[0]!.refunds).toEqual([
      { key: `${made.id}:0`, amountCents: 6_000, state: 'failed' },
      { key: `${made.id}:1`, amountCents: 6_000, state: 'succeeded' },
    ]);
  });
});

describe('a refund without an answer of the processor', () => {
  it('is pending, and queried under the same key: refunded once', async () => {
    const paid = await aPaid();
    const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
    simulator.refund = async (request) => {
      await SimulatorAdapter.prototype.refund.call(simulator, request);
      throw new Error('The connection was reset.');
    };
    const made = await refund(paid);
    simulator.refund = SimulatorAdapter.prototype.refund;
    expect(made.status).toBe('pending');
    await lapse(payment);
    await isBack(paid, 6_000);
    expect((await chargesOf(payment, paid.id))[0]!.refunds).toHaveLength(1);
    await areDone(paid);
    expect(eventsOf(paid).filter(({ type }) => type === 'payment.refunded').length).toBeLessThanOrEqual(1);
  });
});

describe('a refund that its booking requests', () => {
  const request = (paid: Paid, refundId: string, amountCents: number, bookingId = paid.customer.booking.id) =>
    payment.harness.call(refundForBooking, {
      bookingId,
      paymentId: paid.id,
      refundId,
      amountCents,
      reason: 'Cancelled.',
    });

  it('is made once, however often it is requested', async () => {
    const paid = await aPaid();
    const refundId = payment.bookings.allocate(paid.customer.booking, paid.id, 2_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => request(paid, refundId, 2_000)));
    expect(answers).toEqual(answers.map(() => ({ accepted: true })));
    await isBack(paid, 2_000);
    await areDone(paid);
    expect((await refundsOf(paid)).items).toMatchObject([{ id: refundId, amount_cents: 2_000, status: 'succeeded' }]);
    expect(await chargesOf(payment, paid.id)).toMatchObject([{ refundedCents: 2_000 }]);
    expect(await get(paid)).toMatchObject({ refunded_cents: 2_000 });
  });

  it('names a payment of its own: not_found', async () => {
    const paid = await aPaid();
    expect((await rejectionOf(request(paid, newId('rfd'), 1, newId('bkg')))).reason).toBe('not_found');
    expect((await rejectionOf(request({ ...paid, id: newId('pay') }, newId('rfd'), 1))).reason).toBe('not_found');
  });
});

describe('GET /payments/{payment_id}/refunds', () => {
  it('lists them newest first, page by page, to payer and school, and to no one else', async () => {
    const paid = await aPaid();
    const made: string[] = [];
    for (const amount_cents of [100, 200, 300]) made.unshift((await refund(paid, { amount_cents })).id);
    for (const reader of [paid.school, paid.customer.family]) {
      const first = await refundsOf(paid, { limit: 2 }, reader);
      expect(first.pagination).toMatchObject({ has_more: true, total: 3 });
      const rest = await refundsOf(paid, { limit: 2, cursor: first.pagination.next_cursor! }, reader);
      expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made);
    }
    expect((await rejectionOf(refundsOf(paid, {}, aFamily()))).reason).toBe('resource_not_found');
  });
});

describe('the refunds of an account', () => {
  it('are those of all its payments, for the payer and for the school', async () => {
    const [paid, other] = [await aPaid(), await aPaid()];
    const made = await refund(paid, { amount_cents: 100 });
    await refund(other, { amount_cents: 100 });
    const { family } = paid.customer;
    const own = await payment.harness.call(listOwnRefunds, { account_id: family.accountId }, { principal: family });
    expect(own.items).toEqual([made]);
    const input = { account_id: paid.school.accountId };
    const ofSchool = await payment.harness.call(listOwnRefunds, input, { principal: paid.school });
    expect(ofSchool.items).toContainEqual(made);
  });

  it('are rejected to another account: foreign_account', async () => {
    const { customer, school: principal } = await aPaid();
    const input = { account_id: customer.family.accountId };
    expect((await rejectionOf(payment.harness.call(listOwnRefunds, input, { principal }))).reason).toBe(
      'foreign_account',
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRefund, receiveStripeWebhook } from '@swim/contracts';
import { newId, sharedClock } from '@swim/platform';
import { rejectionOf, until, updateAll } from '@swim/testing';
import { type Customer, pay, schoolOf, storedPayments, storedRefunds } from '../harness.js';
import {
  aLiveCustomer,
  aPaidCustomer,
  ends,
  intentOf,
  paymentOf,
  type StripeHarness,
  startWithStripe,
  webhook,
} from './stripe-harness.js';

let payment: StripeHarness;
beforeAll(async () => {
  payment = await startWithStripe();
});
afterAll(() => payment?.stop());

const send = (...input: Parameters<typeof webhook> extends [unknown, ...infer R] ? R : never) =>
  webhook(payment, ...input);
const stored = async ({ booking }: Customer) => (await storedPayments(payment, booking, 'live'))[0]!;
const nowSeconds = () => Math.floor(sharedClock.nowMs() / 1_000);

const aPaid = () => aPaidCustomer(payment);

describe('a webhook of Stripe', () => {
  const unknown = { id: 'pi_x', object: 'payment_intent', metadata: { payment_id: newId('pay') } };
  const received = (payload: string, signature: string) =>
    payment.harness.call(receiveStripeWebhook, { payload, signature });

  it('is received with a signature of its body that is up to 300 seconds old', async () => {
    for (const age of [0, 290])
      expect(await send('payment_intent.succeeded', unknown, age)).toEqual({ received: true });
  });

  it('is rejected without a signature, with one of another body or secret, and with an older one: invalid_signature', async () => {
    const { payload, signature } = payment.stripe.webhook('payment_intent.succeeded', unknown, nowSeconds());
    const old = payment.stripe.webhook('payment_intent.succeeded', unknown, nowSeconds() - 310);
    const forged = signature.replace(/v1=\w/, (start) => (start.endsWith('0') ? 'v1=1' : 'v1=0'));
    for (const [body, header] of [
      [payload, ''],
      [payload, 'v1=x'],
      [payload, forged],
      [payload.replace('evt_', 'evt-'), signature],
      [`${payload} `, signature],
      [old.payload, old.signature],
    ] as const)
      expect(await rejectionOf(received(body, header))).toMatchObject({
        reason: 'invalid_signature',
        code: 'VALIDATION_ERROR',
      });
  });

  it('about nothing of ours, or a payment that does not exist, is received, and changes nothing', async () => {
    const { id } = await aPaid();
    const before = await storedLive(id);
    for (const metadata of [{}, { payment_id: newId('pay') }, { payment_id: 'pay_x' }, { payment_id: '$ne' }]) {
      await send('payment_intent.succeeded', { ...unknown, metadata });
      await send('refund.failed', { metadata: { ...metadata, refund_id: newId('rfd') }, status: 'failed' });
    }
    await send('account.updated', { id: 'acct_1' });
    await send('payment_intent.payment_failed', { metadata: { payment_id: id }, status: 'requires_payment_method' });
    const after = await storedLive(id);
    expect([after!.status, after!.rev]).toEqual([before!.status, before!.rev]);
  });
});

const storedLive = (id: string) =>
  payment.harness
    .database('payment_live')
    .collection<{ _id: string; status: string; rev: number }>('payments')
    .findOne({ _id: id });

describe('a payment that waits for its cardholder', () => {
  it('is completed by the webhook, however often it comes', async () => {
    const customer = await aLiveCustomer(payment, 'sca');
    await pay(payment, customer);
    const intent = await intentOf(payment, customer);
    payment.stripe.become(intent, 'succeeded');
    for (let time = 0; time < 3; time++) await send('payment_intent.succeeded', intent);
    await until(async () => (await stored(customer)).step === 'done', 'it is completed');
    for (let time = 0; time < 2; time++) await send('payment_intent.succeeded', intent);
    expect((await paymentOf(payment, customer)).status).toBe('succeeded');
    const { id } = await paymentOf(payment, customer);
    const types = () => payment.events.filter(({ objectId }) => objectId === id).map(({ type }) => type);
    await until(() => types().length > 0, 'its event is published');
    expect(types()).toEqual(['payment.succeeded']);
  });

  it('stays pending when a webhook says that it has succeeded, and Stripe does not', async () => {
    const customer = await aLiveCustomer(payment, 'sca');
    await pay(payment, customer);
    const { attempt } = await stored(customer);
    await send('payment_intent.succeeded', { ...(await intentOf(payment, customer)), status: 'succeeded' });
    await until(async () => (await stored(customer)).attempt > attempt, 'Stripe is queried');
    expect((await paymentOf(payment, customer)).status).toBe('pending');
  });
});

describe('an authorisation that ends at Stripe', () => {
  it('voids the payment by the webhook', async () => {
    const customer = await aLiveCustomer(payment);
    await pay(payment, customer, { capture: false });
    await ends(payment, customer, 'authorized');
    const intent = await intentOf(payment, customer);
    await send('payment_intent.amount_capturable_updated', intent);
    await until(async () => (await stored(customer)).step === 'done', 'it was queried, and is still authorised');
    payment.stripe.become(intent, 'canceled');
    await send('payment_intent.canceled', intent);
    await until(async () => (await stored(customer)).status === 'voided', 'it is voided');
    await until(() => [...customer.booking.payments.values()][0]!.state === 'failed', 'its booking knows');
  });
});

describe('a refund', () => {
  const refundStatus = async (paymentId: string) => (await storedRefunds(payment, paymentId, 'live'))[0]!;
  const bySchool = (customer: Customer) => ({ principal: schoolOf(customer, 'live') });

  it('that the bank leaves pending is completed by the webhook, also once Stripe has forgotten its key', async () => {
    const paid = await aPaid();
    payment.stripe.refundStatus = 'pending';
    const input = { payment_id: paid.id, amount_cents: 2_000, reason: 'Closed.' };
    expect((await payment.harness.call(createRefund, input, bySchool(paid))).status).toBe('pending');
    payment.stripe.refundStatus = 'succeeded';
    payment.stripe.forgetKeys();
    await until(async () => (await refundStatus(paid.id)).attempt > 1, 'it is queried');
    const [refund] = payment.stripe.refunds.slice(-1);
    refund!.status = 'succeeded';
    await send('refund.updated', refund!);
    await until(async () => (await refundStatus(paid.id)).step === 'done', 'it is completed');
    expect(payment.stripe.refunds.filter((each) => each.payment_intent === refund!.payment_intent)).toHaveLength(1);
    expect(payment.bookings.refundedCents(paid.booking)).toBe(2_000);
  });

  it('that the bank returns after it had succeeded is made again, and counted once', async () => {
    const paid = await aPaid();
    const input = { payment_id: paid.id, amount_cents: 2_000, reason: 'Closed.' };
    expect((await payment.harness.call(createRefund, input, bySchool(paid))).status).toBe('succeeded');
    await until(async () => (await refundStatus(paid.id)).step === 'done', 'it is settled');
    const [refund] = payment.stripe.refunds.slice(-1);
    await send('refund.failed', { ...refund!, status: 'failed' });
    await until(async () => (await refundStatus(paid.id)).step === 'done', 'Stripe says that it has succeeded');
    refund!.status = 'failed';
    await send('refund.failed', refund!);
    await until(async () => (await refundStatus(paid.id)).status === 'failed', 'it has failed');
    const refunds = payment.harness.database('payment_live').collection('refunds');
    await updateAll(refunds, { paymentId: paid.id }, { nextAt: new Date(0) });
    await until(async () => (await refundStatus(paid.id)).step === 'done', 'it is made again');
    const made = payment.stripe.refunds.filter((each) => each.payment_intent === refund!.payment_intent);
    expect(made.map(({ status, amount }) => [status, amount])).toEqual([
      ['failed', 2_000],
      ['succeeded', 2_000],
    ]);
    expect((await paymentOf(payment, paid)).refunded_cents).toBe(2_000);
    expect(payment.bookings.refundedCents(paid.booking)).toBe(2_000);
  });
});

describe('Stripe’s absence', () => {
  it('makes a webhook about a dispute unavailable, so that Stripe repeats it', async () => {
    const paid = await aPaid();
    const intent = await intentOf(payment, paid);
    const dispute = payment.stripe.dispute(intent);
    payment.stripe.disturb(new RegExp(`GET /v1/payment_intents/${intent.id}$`), 500);
    expect(await rejectionOf(send('charge.dispute.created', dispute))).toMatchObject({ reason: 'unavailable' });
  });
});

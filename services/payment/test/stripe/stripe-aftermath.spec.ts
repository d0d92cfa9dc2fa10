import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRefund, getPayment, listRefunds, refundForBooking } from '@swim/contracts';
import { until, updateAll } from '@swim/testing';
import { type Customer, pay, schoolOf, storedRefunds } from '../harness.js';
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
const aPaid = () => aPaidCustomer(payment);

describe('a refund that was made by hand at Stripe', () => {
  const listed = async ({ family, id }: Customer & { id: string }) =>
    (await payment.harness.call(listRefunds, { payment_id: id }, { principal: family })).items;
  const counted = async (paid: Customer & { id: string }, cents: number) => {
    await until(() => payment.bookings.refundedCents(paid.booking) === cents, 'its booking counts it');
    return (await paymentOf(payment, paid)).refunded_cents;
  };

  it.each(['refund.created', 'charge.refunded'])('is found by the webhook %s, and counted once', async (type) => {
    const paid = await aPaid();
    const intent = await intentOf(payment, paid);
    const refund = payment.stripe.refundByHand(intent, 2_000);
    const object = type === 'refund.created' ? refund : { id: 'ch_1', payment_intent: intent.id };
    for (let time = 0; time < 2; time++) await send(type, object);
    expect(await counted(paid, 2_000)).toBe(2_000);
    const [shown, ...others] = await listed(paid);
    expect([shown, others]).toMatchObject([{ status: 'succeeded', amount_cents: 2_000, reason: null }, []]);
    const events = () => payment.events.filter(({ objectId, type }) => objectId === paid.id && /refund/.test(type));
    await until(() => events().length === 1, 'its event is published');
    // What is left can be refunded as before.
    const rest = { payment_id: paid.id, amount_cents: 4_000, reason: 'Closed.' };
    const asSchool = { principal: schoolOf(paid, 'live') };
    expect((await payment.harness.call(createRefund, rest, asSchool)).status).toBe('succeeded');
    expect(await counted(paid, 6_000)).toBe(6_000);
  });

  it('is counted once it is no longer pending, and no more once the bank has returned it', async () => {
    const paid = await aPaid();
    payment.stripe.refundStatus = 'pending';
    const refund = payment.stripe.refundByHand(await intentOf(payment, paid), 2_000);
    payment.stripe.refundStatus = 'succeeded';
    await send('refund.created', refund);
    expect(await listed(paid)).toEqual([]);
    refund.status = 'succeeded';
    await send('refund.updated', refund);
    expect(await counted(paid, 2_000)).toBe(2_000);
    await until(async () => (await storedRefunds(payment, paid.id, 'live'))[0]?.step === 'done', 'it is settled');
    refund.status = 'failed';
    await send('refund.failed', refund);
    expect(await counted(paid, 0)).toBe(0);
    expect([await paymentOf(payment, paid), await listed(paid)]).toMatchObject([
      { status: 'succeeded' },
      [{ status: 'failed' }],
    ]);
  });

  it('ends an automatic refund for which it leaves too little, though its webhook never came', async () => {
    const paid = await aPaid();
    payment.stripe.refundByHand(await intentOf(payment, paid), 5_000);
    const refundId = payment.bookings.allocate(paid.booking, paid.id, 2_000);
    const asked = {
      bookingId: paid.booking.id,
      paymentId: paid.id,
      refundId,
      amountCents: 2_000,
      reason: 'Cancelled.',
    };
    await payment.harness.call(refundForBooking, asked, { principal: paid.family });
    const refunds = payment.harness.database('payment_live').collection('refunds');
    const areDone = async () => {
      await updateAll(
        refunds,
        { paymentId: paid.id, status: 'failed', nextAt: { $type: 'date' } },
        { nextAt: new Date(0) },
      );
      return (await storedRefunds(payment, paid.id, 'live')).every(({ step }) => step === 'done');
    };
    await until(areDone, 'both have ended');
    expect(await counted(paid, 5_000)).toBe(5_000);
    expect((await storedRefunds(payment, paid.id, 'live')).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
    expect(paid.booking.refunds.get(refundId)).toMatchObject({ state: 'withdrawn' });
  });
});

describe('a dispute', () => {
  const disputed = async ({ family, id }: Customer & { id: string }) =>
    (await payment.harness.call(getPayment, { payment_id: id }, { principal: family })).disputed;
  const recorded = ({ booking }: Customer) => booking.disputes.map(({ state, amountCents }) => [state, amountCents]);
  const eventsOf = (id: string) =>
    payment.events.filter(({ objectId, type }) => objectId === id && /dispute/.test(type));

  it('marks the payment, with one event, and its booking; a lost one does not open again', async () => {
    const paid = await aPaid();
    const dispute = payment.stripe.dispute(await intentOf(payment, paid));
    for (let time = 0; time < 2; time++) await send('charge.dispute.created', dispute);
    await until(() => recorded(paid).length === 1, 'it is recorded');
    expect([await disputed(paid), recorded(paid)]).toEqual([true, [['open', 6_000]]]);
    dispute.status = 'lost';
    await send('charge.dispute.closed', dispute);
    await until(() => recorded(paid).length === 2, 'its loss is recorded');
    await send('charge.dispute.created', { ...dispute, status: 'needs_response' });
    await until(async () => await hasNothingDue(paid.id), 'the late webhook is processed');
    expect(recorded(paid)[1]).toEqual(['lost', 6_000]);
    expect(await disputed(paid)).toBe(true);
    await until(() => eventsOf(paid.id).length === 2, 'its events are published');
    expect(eventsOf(paid.id)).toMatchObject([
      { type: 'payment.disputed', object: { disputed: true, dispute: { status: 'open', closed_at: null } } },
      { type: 'payment.dispute_closed', object: { disputed: true, dispute: { status: 'lost' } } },
    ]);
  });

  it('is followed from lost to won and back, and each decision is an event', async () => {
    const paid = await aPaid();
    const dispute = payment.stripe.dispute(await intentOf(payment, paid), 'lost');
    for (const [index, status] of ['lost', 'won', 'lost'].entries()) {
      dispute.status = status;
      await send('charge.dispute.updated', dispute);
      await until(() => recorded(paid).length === index + 1, `it is ${status}`);
      const { dispute: shown } = await paymentOf(payment, paid);
      expect(shown).toEqual({ status, closed_at: expect.stringMatching(/Z$/) });
      expect(await disputed(paid)).toBe(status === 'lost');
    }
    expect(paid.booking.disputes.map(({ state, revision }) => [state, revision])).toEqual([
      ['lost', 1],
      ['won', 2],
      ['lost', 3],
    ]);
    await until(() => eventsOf(paid.id).length === 4, 'its events are published');
    expect(
      eventsOf(paid.id)
        .slice(1)
        .map(({ type }) => type),
    ).toEqual(Array(3).fill('payment.dispute_closed'));
  });

  it('whose end comes before its beginning is won, and clears the payment', async () => {
    const paid = await aPaid();
    const dispute = payment.stripe.dispute(await intentOf(payment, paid), 'won');
    await send('charge.dispute.closed', dispute);
    await until(() => recorded(paid).length === 1, 'its end is recorded');
    await send('charge.dispute.created', { ...dispute, status: 'needs_response' });
    await until(async () => await hasNothingDue(paid.id), 'its beginning is processed');
    expect([await disputed(paid), recorded(paid)]).toEqual([false, [['won', 6_000]]]);
  });

  it('stops refunds that its booking requests, until it is won', async () => {
    const paid = await aPaid();
    const dispute = payment.stripe.dispute(await intentOf(payment, paid));
    await send('charge.dispute.created', dispute);
    await until(() => recorded(paid).length === 1, 'it is recorded');
    const refundId = payment.bookings.allocate(paid.booking, paid.id, 1_000);
    const input = {
      bookingId: paid.booking.id,
      paymentId: paid.id,
      refundId,
      amountCents: 1_000,
      reason: 'Cancelled.',
    };
    await payment.harness.call(refundForBooking, input, { principal: paid.family });
    const ofPaid = async () => payment.stripe.refunds.filter(({ metadata }) => metadata.payment_id === paid.id).length;
    expect(await ofPaid()).toBe(0);
    dispute.status = 'won';
    await send('charge.dispute.closed', dispute);
    await until(() => recorded(paid).length === 2, 'it is won');
    const refunds = payment.harness.database('payment_live').collection('refunds');
    await updateAll(refunds, { paymentId: paid.id }, { nextAt: new Date(0) });
    await until(async () => (await ofPaid()) === 1, 'it is refunded');
  });

  it('of a payment that its booking has not settled yet is recorded once it has', async () => {
    const customer = await aLiveCustomer(payment);
    payment.bookings.silence();
    payment.bookings.answerReserve(payment.harness);
    const { id } = await pay(payment, customer);
    await send('charge.dispute.created', payment.stripe.dispute(await intentOf(payment, customer)));
    await until(async () => disputed({ ...customer, id }), 'the payment is marked');
    payment.bookings.answer(payment.harness);
    await ends(payment, customer, 'succeeded');
    const payments = payment.harness.database('payment_live').collection<{ _id: string }>('payments');
    await until(async () => {
      await payments.updateOne({ _id: id, disputesAt: { $type: 'date' } }, { $set: { disputesAt: new Date(0) } });
      return recorded(customer).length === 1;
    }, 'it is recorded');
  });

  const hasNothingDue = async (id: string) =>
    (await payment.harness
      .database('payment_live')
      .collection<{ _id: string }>('payments')
      .countDocuments({
        _id: id,
        disputesAt: { $type: 'date' },
      })) === 0;
});

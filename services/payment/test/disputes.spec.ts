import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  capturePayment,
  createRefund,
  erasePaymentsOfAccount,
  getPayment,
  refundForBooking,
  resetPayments,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import type { Charge } from '../src/processor/processor.js';
import { SimulatorAdapter } from '../src/processor/simulator/simulator.adapter.js';
import { SimulatorRepository } from '../src/processor/simulator/simulator.repository.js';
import {
  aCustomer,
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

const PAST = new Date(0);

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

async function aPayment(token: string): Promise<{ customer: Customer; id: string }> {
  const customer = await aCustomer(payment, token);
  const { id, disputed } = await pay(payment, customer);
  expect(disputed).toBe(false);
  return { customer, id };
}
const statesOf = ({ booking }: Customer) => booking.disputes.map(({ state }) => state);
const charges = () =>
  payment.harness
    .database('payment_test')
    .collection<{ _id: string; noticeAt: Date | null; disputedAt: Date; decidedAt?: Date }>('processor_charges');
const isDisputed = async ({ family }: Customer, id: string) =>
  (await payment.harness.call(getPayment, { payment_id: id }, { principal: family })).disputed;

/** Makes the dispute of a charge begin now, or end now: the processor's next notice is about that. */
const comesNow = (id: string, what: 'disputedAt' | 'decidedAt') =>
  until(async () => {
    const waiting = { _id: id, noticeAt: { $gt: new Date() } };
    return (await charges().updateOne(waiting, { $set: { [what]: PAST, noticeAt: PAST } })).modifiedCount === 1;
  }, 'its next notice is set');

/** Makes the dispute of a charge begin and end now, where one is to come, and waits until the payment has followed it. */
async function passDisputes(id: string): Promise<void> {
  await charges().updateOne(
    { _id: id, noticeAt: { $gt: PAST } },
    { $set: { disputedAt: PAST, decidedAt: PAST, noticeAt: PAST } },
  );
  const isDue = { _id: id, noticeAt: { $gte: PAST, $lte: new Date() } };
  await until(async () => !(await charges().findOne(isDue)), 'its notice is processed');
  const payments = payment.harness
    .database('payment_test')
    .collection<{ _id: string; disputesAt?: Date | null }>('payments');
  await until(async () => !(await payments.findOne({ _id: id }))?.disputesAt, 'its disputes are queried');
}

describe('a payment of the sandbox', () => {
  it.each([
    ['pm_card_createDispute', 'open', true],
    ['pm_card_dispute_won', 'won', false],
    ['pm_card_dispute_lost', 'lost', true],
  ] as const)('by %s is disputed, and the dispute ends %s', async (token, end, stays) => {
    const { customer, id } = await aPayment(token);
    await comesNow(id, 'disputedAt');
    await until(() => statesOf(customer).includes('open'), 'its booking knows that it is open');
    if (end !== 'open') await comesNow(id, 'decidedAt');
    await until(() => statesOf(customer).includes(end), `its booking knows that it is ${end}`);
    const disputeId = `dp_${id}`;
    const revision = end === 'open' ? 1 : 2;
    const recorded = { paymentId: id, disputeId, revision, state: end, amountCents: 6_000 };
    expect(customer.booking.disputes.at(-1)).toEqual(recorded);
    expect(await isDisputed(customer, id)).toBe(stays);
    const events = () => payment.events.filter((each) => each.objectId === id && /dispute/.test(each.type));
    await until(() => events().length === revision, 'its events are published');
    const closed = { type: 'payment.dispute_closed', object: { dispute: { status: end } } };
    expect(events()).toMatchObject([{ type: 'payment.disputed' }, ...(end === 'open' ? [] : [closed])]);
  });

  it('cannot be refunded by the school while a dispute is open or lost: payment_disputed, and nothing is taken twice', async () => {
    const { customer, id } = await aPayment('pm_card_dispute_lost');
    const refund = (dryRun = false) =>
      payment.harness.call(
        createRefund,
        { payment_id: id, reason: 'Goodwill.' },
        { principal: schoolOf(customer), dryRun },
      );
    await comesNow(id, 'disputedAt');
    await until(() => statesOf(customer).includes('open'), 'its booking knows that it is open');
    for (const status of ['open', 'lost']) {
      for (const dryRun of [true, false]) {
        const details = { field: 'payment_id', status };
        expect(await rejectionOf(refund(dryRun))).toMatchObject({
          reason: 'payment_disputed',
          code: 'CONFLICT',
          details,
        });
      }
      if (status === 'open') await comesNow(id, 'decidedAt');
      await until(() => statesOf(customer).includes('lost'), 'its booking knows that it is lost');
    }
    expect((await chargesOf(payment, id))[0]!.refunds ?? []).toEqual([]);
    expect(await storedRefunds(payment, id)).toEqual([]);
  });

  it('is not refunded under a key that the processor has refused, also by a request that was on its way before', async () => {
    const { id } = await aPayment('pm_card_dispute_won');
    const processor = payment.service.app.get(SimulatorAdapter, { strict: false });
    const storage = payment.service.app.get(SimulatorRepository, { strict: false });
    const before = (await storage.findById(id))!;
    await charges().updateOne({ _id: id }, { $set: { disputedAt: PAST, noticeAt: null } });
    const charge = { paymentId: id } as Charge;
    const request = { refundId: newId('rfd'), key: 'rfd_1:0', charge, amountCents: 100 };
    const refused = { status: 'failed', failureCode: 'charge_disputed' };
    expect(await processor.refund(request)).toEqual(refused);
    await storage.addRefund(before, { key: 'rfd_1:0', amountCents: 100, state: 'succeeded' });
    await charges().updateOne({ _id: id }, { $set: { decidedAt: PAST } });
    expect(await processor.refund(request)).toMatchObject({ status: 'failed' });
    expect(await processor.refundsOf(charge)).toEqual([]);
  });

  it('is rejected a refund by the processor as long as its dispute is not known here: the refund ends', async () => {
    const { customer, id } = await aPayment('pm_card_createDispute');
    await charges().updateOne({ _id: id }, { $set: { disputedAt: PAST, noticeAt: null } });
    const asked = { payment_id: id, reason: 'Goodwill.' };
    const made = await payment.harness.call(createRefund, asked, { principal: schoolOf(customer) });
    expect(made.status).toBe('failed');
    await until(() => isDisputed(customer, id), 'the dispute is known');
    await lapse(payment);
    const ended = async () => {
      const [refund] = await storedRefunds(payment, id);
      return refund!.step === 'done' && refund;
    };
    const refund = await until(ended, 'the refund has ended');
    expect(refund).toMatchObject({ status: 'failed', failureCode: 'payment_disputed' });
    expect([...customer.booking.refunds.values()]).toMatchObject([{ state: 'withdrawn' }]);
  });

  it.each([
    ['pm_card_createDispute', 'open'],
    ['pm_card_dispute_won', 'won'],
    ['pm_card_dispute_lost', 'lost'],
  ] as const)(
    'by %s that is only authorised is not disputed; once it is captured, it is, and the dispute ends %s',
    async (token, end) => {
      const customer = await aCustomer(payment, token);
      const { id } = await pay(payment, customer, { capture: false });
      await passDisputes(id);
      expect([await isDisputed(customer, id), statesOf(customer)]).toEqual([false, []]);
      await payment.harness.call(capturePayment, { payment_id: id }, { principal: schoolOf(customer) });
      await comesNow(id, 'disputedAt');
      await until(() => statesOf(customer).includes('open'), 'its booking knows that it is open');
      expect(await isDisputed(customer, id)).toBe(true);
      if (end !== 'open') await comesNow(id, 'decidedAt');
      await until(() => statesOf(customer).includes(end), `its booking knows that it is ${end}`);
    },
  );
});

it('a charge of an amount that Stripe does not take in its currency fails in the sandbox too', async () => {
  const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
  const charge = { token: 'pm_card_visa', customerId: null, currency: 'KWD', capture: true, reference: null };
  const charged = (amountCents: number) => simulator.charge({ ...charge, paymentId: newId('pay'), amountCents });
  expect(await charged(4_113)).toEqual({ status: 'failed', failureCode: 'amount_not_representable' });
  expect(await charged(4_110)).toEqual({ status: 'succeeded' });
});

describe('a refund by a test card of Stripe’s', () => {
  const refund = async (token: string) => {
    const { customer, id } = await aPayment(token);
    await until(async () => (await storedPayments(payment, customer.booking))[0]!.step === 'done', 'it is settled');
    const asked = { payment_id: id, reason: 'Goodwill.' };
    const { status } = await payment.harness.call(createRefund, asked, { principal: schoolOf(customer) });
    return { customer, id, status };
  };
  const refundOf = async (id: string) => (await storedRefunds(payment, id))[0]!;
  const change = async (id: string) => {
    const due = { 'refunds.0.next.at': new Date(0), noticeAt: new Date(0) };
    await charges().updateOne({ _id: id }, { $set: due } as object);
    await until(async () => !(await charges().findOne({ _id: id }))?.noticeAt, 'its notice is processed');
  };

  it('pm_card_pendingRefund is pending at first, and succeeds', async () => {
    const { customer, id, status } = await refund('pm_card_pendingRefund');
    expect(status).toBe('pending');
    await change(id);
    await lapse(payment);
    await until(() => payment.bookings.refundedCents(customer.booking) === 6_000, 'its booking counts it');
    expect(await refundOf(id)).toMatchObject({ status: 'succeeded' });
  });

  it('pm_card_refundFail succeeds, and is tried again once it has failed', async () => {
    const { id, status } = await refund('pm_card_refundFail');
    expect(status).toBe('succeeded');
    await until(async () => (await refundOf(id)).step === 'done', 'it is settled');
    await change(id);
    await until(async () => (await refundOf(id)).status === 'failed', 'its failure is known');
    await lapse(payment);
    await until(async () => (await chargesOf(payment, id))[0]!.refunds!.length === 2, 'it is tried again');
  });
});

describe('a refund that its booking requests before a dispute', () => {
  it('is counted when it had reached the processor, whose answer was lost; one that had not waits, and fails once the dispute is lost', async () => {
    const [reached, late] = [await aPayment('pm_card_createDispute'), await aPayment('pm_card_dispute_lost')];
    const simulator = payment.service.app.get(SimulatorAdapter, { strict: false });
    simulator.refund = async (request) => {
      if (request.charge.paymentId === reached.id) await SimulatorAdapter.prototype.refund.call(simulator, request);
      throw new Error('The connection was reset.');
    };
    for (const { customer, id: paymentId } of [reached, late]) {
      const refundId = payment.bookings.allocate(customer.booking, paymentId, 2_000);
      const refund = { bookingId: customer.booking.id, paymentId, refundId, amountCents: 2_000, reason: 'Cancelled.' };
      await payment.harness.call(refundForBooking, refund);
      await comesNow(paymentId, 'disputedAt');
      await until(() => isDisputed(customer, paymentId), 'the payment is disputed');
    }
    simulator.refund = SimulatorAdapter.prototype.refund;
    await lapse(payment);
    await until(() => payment.bookings.refundedCents(reached.customer.booking) === 2_000, 'its booking counts it');
    expect(await storedRefunds(payment, reached.id)).toMatchObject([{ status: 'succeeded' }]);
    const waits = async () => {
      const [refund] = (await storedRefunds(payment, late.id)) as unknown as { nextAt: Date | null }[];
      return refund!.nextAt! > new Date(Date.now() + 600_000) && refund;
    };
    expect(await until(waits, 'the other one waits')).toMatchObject({ status: 'pending', step: 'refund' });
    await comesNow(late.id, 'decidedAt');
    await until(() => statesOf(late.customer).includes('lost'), 'its booking knows that the dispute is lost');
    await lapse(payment);
    const ended = async () => {
      const [refund] = (await storedRefunds(payment, late.id)) as unknown as { nextAt: Date | null }[];
      return refund!.nextAt === null && refund;
    };
    expect(await until(ended, 'it ends')).toMatchObject({
      status: 'failed',
      step: 'done',
      failureCode: 'payment_disputed',
    });
    expect((await chargesOf(payment, late.id))[0]!.refunds ?? []).toEqual([]);
    expect(payment.bookings.refundedCents(late.customer.booking)).toBe(0);
  });

  it('lets a reset and an erasure of the payer end while it waits, and is executed once the dispute is won', async () => {
    const { customer, id: paymentId } = await aPayment('pm_card_dispute_won');
    await comesNow(paymentId, 'disputedAt');
    await until(() => isDisputed(customer, paymentId), 'the payment is disputed');
    const refundId = payment.bookings.allocate(customer.booking, paymentId, 2_000);
    const refund = { bookingId: customer.booking.id, paymentId, refundId, amountCents: 2_000, reason: 'Cancelled.' };
    await payment.harness.call(refundForBooking, refund);
    const [{ accountId }, asPayer] = [customer.family, { principal: customer.family }];
    const before = new Date(Date.now() + 1_000).toISOString();
    for (const phase of ['end', 'empty'] as const)
      expect(await payment.harness.call(resetPayments, { accountId, before, phase }, asPayer)).toEqual({ done: true });
    expect(await payment.harness.call(erasePaymentsOfAccount, { accountId }, asPayer)).toEqual({ done: true });
    expect(await storedRefunds(payment, paymentId)).toMatchObject([{ status: 'pending', step: 'refund' }]);
    await comesNow(paymentId, 'decidedAt');
    await until(() => statesOf(customer).includes('won'), 'its booking knows that the dispute is won');
    await lapse(payment);
    await until(() => payment.bookings.refundedCents(customer.booking) === 2_000, 'its booking counts it');
  });
});

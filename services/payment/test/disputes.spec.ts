import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { capturePayment, getPayment, refundForBooking } from '@swim/contracts';
import { until } from '@swim/testing';
import { SimulatorAdapter } from '../src/processor/simulator.adapter.js';
import {
  aCustomer,
  type Customer,
  chargesOf,
  lapse,
  type PaymentHarness,
  pay,
  schoolOf,
  startPayment,
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
    expect(customer.booking.disputes.at(-1)).toEqual({ paymentId: id, disputeId, state: end, amountCents: 6_000 });
    expect(await isDisputed(customer, id)).toBe(stays);
    const disputes = () => payment.events.filter((each) => each.objectId === id && each.type === 'payment.disputed');
    await until(() => disputes().length > 0, 'its event is published');
    expect(disputes()).toHaveLength(1);
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
      failureCode: 'dispute_lost',
    });
    expect((await chargesOf(payment, late.id))[0]!.refunds ?? []).toEqual([]);
    expect(payment.bookings.refundedCents(late.customer.booking)).toBe(0);
  });
});

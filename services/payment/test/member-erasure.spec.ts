import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createRefund,
  eraseTextsOfBookings,
  eraseTextsOfEvents,
  getPayment,
  listRefunds,
  type ParsedOf,
  refundForBooking,
  updatePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, rejectionOf, until, updateAll } from '@swim/testing';
import {
  aCustomer,
  type Customer,
  type PaymentHarness,
  pay,
  schoolOf,
  startPayment,
  storedPayments,
  storedRefunds,
} from './harness.js';

const CANARY = 'canary';
let payment: PaymentHarness;
const ofEvents: ParsedOf<typeof eraseTextsOfEvents>[] = [];
let areEventsStored = true;
beforeAll(async () => {
  payment = await startPayment();
  payment.harness.serve(eraseTextsOfEvents, (request) => {
    ofEvents.push(request);
    return { done: areEventsStored };
  });
});
afterAll(() => payment?.stop());

const records = () => payment.harness.database('payment_test').collection<{ _id: string }>('idempotency');
const erase = (customer: Customer) => {
  const { family, booking } = customer;
  const accountIds = [family.accountId, schoolOf(customer).accountId];
  const request = { bookingIds: [booking.id], accountIds, erasedAt: new Date().toISOString() };
  return payment.harness.call(eraseTextsOfBookings, request, {
    principal: aPrincipal({ accountId: family.accountId }),
  });
};

/** A payment with metadata and a refund with a reason, both made under a key. */
async function written(customer: Customer) {
  const { id: payment_id } = await pay(payment, customer);
  const isDone = async () => (await storedPayments(payment, customer.booking))[0]?.step === 'done';
  await until(isDone, 'the payment is done');
  const keyed = { principal: schoolOf(customer), idempotencyKey: newId('req') };
  const change = () =>
    payment.harness.call(updatePayment, { payment_id, changes: { metadata: { note: CANARY } } }, keyed);
  const refund = () => payment.harness.call(createRefund, { payment_id, amount_cents: 1_000, reason: CANARY }, keyed);
  await change();
  await refund();
  const isRefunded = async () => (await storedRefunds(payment, payment_id))[0]?.step === 'done';
  await until(isRefunded, 'the refund is done');
  return { payment_id, change, refund };
}

it('payments and refunds of an erased member’s booking lose metadata and reasons, also in stored answers', async () => {
  const customer = await aCustomer(payment);
  const { family, booking } = customer;
  const { payment_id, change, refund } = await written(customer);
  const other = await aCustomer(payment);
  const kept = await written(other);
  const automatic = { bookingId: booking.id, paymentId: payment_id, refundId: newId('rfd'), amountCents: 500 };
  await payment.harness.call(refundForBooking, { ...automatic, reason: 'The lesson was cancelled' });
  expect(await erase(customer)).toEqual({ done: true });
  const refundsOf = async (id: string, principal = family) =>
    (await payment.harness.call(listRefunds, { payment_id: id }, { principal })).items.map(({ reason }) => reason);
  const metadataOf = async (id: string, principal = family) =>
    (await payment.harness.call(getPayment, { payment_id: id }, { principal })).metadata;
  expect(await refundsOf(payment_id)).toEqual(['The lesson was cancelled', null]);
  expect(await metadataOf(payment_id)).toEqual({});
  for (const repeated of [change(), refund()]) expect((await rejectionOf(repeated)).reason).toBe('resource_not_found');
  const stored = async () =>
    JSON.stringify([await storedRefunds(payment, payment_id), await storedPayments(payment, booking)]);
  await until(async () => !(await stored()).includes(CANARY), 'nothing is left');
  expect(await refundsOf(kept.payment_id, other.family)).toEqual([CANARY]);
  expect(await metadataOf(kept.payment_id, other.family)).toEqual({ note: CANARY });
  expect(await erase(customer)).toEqual({ done: true });
});

it('is not done while a request of the account is in progress, and removes what it has stored', async () => {
  const customer = await aCustomer(payment);
  const { payment_id } = await written(customer);
  const own = { accountId: schoolOf(customer).accountId };
  const lease = (leaseUntil: Date, state: 'running' | 'done') => updateAll(records(), own, { state, leaseUntil });
  await lease(new Date(Date.now() + 3_600_000), 'running');
  expect(await erase(customer)).toEqual({ done: false });
  expect((await storedRefunds(payment, payment_id))[0]).not.toMatchObject({ reason: null });
  await lease(new Date(0), 'done');
  expect(await erase(customer)).toEqual({ done: true });
  expect((await storedRefunds(payment, payment_id))[0]).toMatchObject({ reason: null });
});

it('has the texts of its events removed, and is not done before that is', async () => {
  const customer = await aCustomer(payment);
  const { payment_id: id } = await written(customer);
  areEventsStored = false;
  expect(await erase(customer)).toEqual({ done: false });
  areEventsStored = true;
  expect(await erase(customer)).toEqual({ done: true });
  const eventCount = () => payment.events.filter(({ objectId }) => objectId === id).length;
  await until(() => eventCount() > 1, 'the events of the payment and its refund are published');
  expect(ofEvents.at(-1)).toEqual({ payments: [{ id, eventCount: eventCount() }] });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addDemoMethod,
  createRefund,
  erasePaymentsOfAccount,
  getPayment,
  listRefunds,
  type Principal,
  resetPayments,
  updatePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, until } from '@swim/testing';
import {
  aCustomer,
  chargesOf,
  lapse,
  methodsOf,
  type PaymentHarness,
  pay,
  paymentsOf,
  schoolOf,
  settleCharges,
  startPayment,
  storedPayments,
  storedRefunds,
} from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

const erase = ({ accountId }: Principal) =>
  payment.harness.call(erasePaymentsOfAccount, { accountId }, { principal: aPrincipal({ accountId }) });
/** Repeats the request until it is done, as people does: one may end before that. */
const eraseAll = (principal: Principal) => until(async () => (await erase(principal)).done, 'nothing is left to do');

it('payments of an erased account keep ids, dates and amounts; its methods and stored answers are removed', async () => {
  const customer = await aCustomer(payment);
  const { family, booking } = customer;
  const made = await pay(payment, customer, {}, { idempotencyKey: 'canary key' });
  const isDone = async () => {
    const [stored] = await storedPayments(payment, booking);
    return stored?.step === 'done' && !stored.outbox?.length;
  };
  await until(isDone, 'the payment is done and its events have left its outbox');
  await eraseAll(family);
  expect((await paymentsOf(payment, family)).items).toEqual([made]);
  expect(await methodsOf(payment, family)).toEqual([]);
  const text = JSON.stringify([
    await storedPayments(payment, booking),
    await payment.harness.database('payment_test').collection('wallets').find().toArray(),
  ]);
  expect(text).not.toMatch(/canary|pm_card|"4242"/);
  const records = payment.harness.database('payment_test').collection('idempotency');
  expect(await records.countDocuments({ accountId: family.accountId })).toBe(0);
});

it('a payment in progress is finished first: until then the erasure is not done, and its card stays', async () => {
  const customer = await aCustomer(payment, 'pm_card_timeout');
  const { family, booking } = customer;
  expect(await pay(payment, customer)).toMatchObject({ status: 'pending' });
  expect(await erase(family)).toEqual({ done: false });
  expect(await methodsOf(payment, family)).toHaveLength(1);
  await settleCharges(payment);
  await lapse(payment);
  await eraseAll(family);
  expect(await storedPayments(payment, booking)).toMatchObject([{ status: 'succeeded', step: 'done', token: '' }]);
  expect(await methodsOf(payment, family)).toEqual([]);
});

it.each(['payer', 'school'] as const)('an authorised payment of an erased %s is voided first', async (side) => {
  const customer = await aCustomer(payment);
  const { booking } = customer;
  const { id } = await pay(payment, customer, { capture: false });
  const erased = side === 'payer' ? customer.family : schoolOf(customer);
  await eraseAll(erased);
  expect(await storedPayments(payment, booking)).toMatchObject([{ status: 'voided', step: 'done' }]);
  expect(await chargesOf(payment, id)).toMatchObject([{ state: 'voided' }]);
  expect(booking.payments.get(id)?.state).toBe('failed');
});

it('an erased school leaves refunds and payments of families without its reasons, metadata and requests', async () => {
  const customer = await aCustomer(payment);
  const { family, booking } = customer;
  const school = schoolOf(customer);
  const { id: payment_id } = await pay(payment, customer);
  const isDone = async () => (await storedPayments(payment, booking))[0]?.step === 'done';
  await until(isDone, 'the payment is done');
  const asSchool = (idempotencyKey: string) => ({ principal: school, idempotencyKey });
  const changes = { metadata: { note: 'canary' } };
  await payment.harness.call(updatePayment, { payment_id, changes }, asSchool('canary note'));
  const refund = { payment_id, amount_cents: 1_000, reason: 'canary' };
  const { id } = await payment.harness.call(createRefund, refund, asSchool('canary refund'));
  const isRefunded = async () => (await storedRefunds(payment, payment_id))[0]?.step === 'done';
  await until(isRefunded, 'the refund is done');
  await eraseAll(school);
  const refunds = await payment.harness.call(listRefunds, { payment_id }, { principal: family });
  expect(refunds.items).toMatchObject([{ id, amount_cents: 1_000, reason: null, status: 'succeeded' }]);
  expect((await paymentsOf(payment, family)).items.map(({ metadata }) => metadata)).toEqual([{}]);
  const stored = async () =>
    JSON.stringify([await storedRefunds(payment, payment_id), await storedPayments(payment, booking)]);
  // Unpublished events still contain the request that caused them.
  await until(async () => !(await stored()).includes('canary'), 'nothing is left');
  expect(await storedRefunds(payment, payment_id)).toMatchObject([{ reason: null, origin: { keyId: 'erased' } }]);
  expect(await methodsOf(payment, family)).toHaveLength(1);
});

const reset = ({ accountId }: Principal, phase: 'end' | 'empty', before = new Date(Date.now() + 1_000)) =>
  payment.harness.call(
    resetPayments,
    { accountId, before: before.toISOString(), phase },
    { principal: aPrincipal({ accountId }) },
  );
const resetAll = (...request: Parameters<typeof reset>) =>
  until(async () => (await reset(...request)).done, `nothing is left to ${request[1]}`);

it('payments of a reset account end, then it has none and no methods; the school keeps them', async () => {
  const customer = await aCustomer(payment, 'pm_card_timeout');
  const { family } = customer;
  const { id } = await pay(payment, customer);
  expect(await reset(family, 'end')).toEqual({ done: false });
  await settleCharges(payment);
  await lapse(payment);
  await resetAll(family, 'end');
  await resetAll(family, 'empty');
  expect((await paymentsOf(payment, family)).items).toEqual([]);
  expect(await methodsOf(payment, family)).toEqual([]);
  const kept = payment.harness.call(getPayment, { payment_id: id }, { principal: schoolOf(customer) });
  expect(await kept).toMatchObject({ status: 'succeeded' });
});

it('a late request of a reset leaves payments and methods made since, and the demo method is made once', async () => {
  const before = new Date(Date.now() - 1_000);
  const customer = await aCustomer(payment);
  const { family } = customer;
  const { id } = await pay(payment, customer, { capture: false });
  const demo = { accountId: family.accountId, id: newId('pm') };
  const asPeople = { principal: aPrincipal({ accountId: family.accountId }) };
  for (let times = 0; times < 2; times++) await payment.harness.call(addDemoMethod, demo, asPeople);
  await resetAll(family, 'end', before);
  await resetAll(family, 'empty', before);
  expect((await paymentsOf(payment, family)).items).toMatchObject([{ id, status: 'authorized' }]);
  expect((await methodsOf(payment, family)).map((method) => method.id)).toEqual([demo.id, expect.any(String)]);
});

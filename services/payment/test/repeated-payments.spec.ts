import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { capturePayment, voidPayment } from '@swim/contracts';
import { AppError, derivedId, lowestIdAt } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { aCustomer, chargesOf, type PaymentHarness, pay, schoolOf, startPayment, withKey } from './harness.js';

let payment: PaymentHarness;
beforeAll(async () => {
  payment = await startPayment();
});
afterAll(() => payment?.stop());

it('a payment whose request is repeated hours after its first try, which stored no payment, is charged', async () => {
  const customer = await aCustomer(payment);
  const options = withKey(customer.family, 'tried hours ago');
  const { reserve } = payment.bookings;
  payment.bookings.reserve = () => {
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  };
  const first = await rejectionOf(pay(payment, customer, {}, options));
  payment.bookings.reserve = reserve;
  expect(first.reason).toBe('change_in_progress');
  const records = payment.harness.database('payment_test').collection('idempotency');
  const seed = derivedId('req', lowestIdAt('req', new Date(Date.now() - 2 * 3_600_000)), 'first try');
  await records.updateOne({ accountId: customer.family.accountId, state: 'running' }, { $set: { seed } });
  const made = await pay(payment, customer, {}, options);
  expect(made).toMatchObject({ status: 'succeeded', failure_code: null });
  expect(await chargesOf(payment, made.id)).toMatchObject([{ state: 'succeeded' }]);
});

it.each([
  { title: 'capture', operation: capturePayment, status: 'succeeded' },
  { title: 'void', operation: voidPayment, status: 'voided' },
])('a $title under a key whose record is gone is rejected: invalid_state', async ({ operation, status }) => {
  const customer = await aCustomer(payment);
  const school = schoolOf(customer);
  const { id } = await pay(payment, customer, { capture: false });
  const end = () => payment.harness.call(operation, { payment_id: id }, withKey(school, 'used a day before'));
  expect(await end()).toMatchObject({ status });
  // The key is in the state that it has after 24 hours.
  await payment.harness.database('payment_test').collection('idempotency').deleteMany({ accountId: school.accountId });
  expect(await rejectionOf(end())).toMatchObject({ reason: 'invalid_state', details: { status } });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, derivedId, lowestIdAt } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { aCustomer, chargesOf, type PaymentHarness, pay, startPayment, withKey } from './harness.js';

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

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addPaymentMethod, createPayment, getPayment, type PaymentMethod, removePaymentMethod } from '@swim/contracts';
import {
  aCustomer,
  addCard,
  aFamily,
  type Customer,
  chargesOf,
  methodsOf,
  paymentFor,
  storedPayments,
  withKey,
} from '../harness.js';
import { type CrashHarness, startCrashHarness } from './crash-harness.js';

let payment: CrashHarness;

jest.setTimeout(420_000);
beforeAll(async () => {
  payment = await startCrashHarness();
});
afterAll(() => payment?.stop());

const chargesFor = async ({ booking }: Customer) => {
  const ids = new Set(payment.bookings.receivedFor(booking).map(({ paymentId }) => paymentId));
  return (await Promise.all([...ids].map((id) => chargesOf(payment, id)))).flat();
};

/** Expects as many charges as the booking counts, and no work left. */
async function expectSettled(customer: Customer, charges: number): Promise<void> {
  await payment.untilQuiet();
  const stored = await storedPayments(payment, customer.booking);
  expect(stored.map(({ step }) => step)).toEqual(stored.map(() => 'done'));
  expect(await chargesFor(customer)).toHaveLength(charges);
  expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(
    Array.from({ length: charges }, () => 'succeeded'),
  );
  for (const { _id } of stored) await payment.expectPublished(_id, ['payment.succeeded']);
}

/** A method whose default has moved since it was added. */
const changedOf = (method: PaymentMethod, changes: Partial<PaymentMethod>) => ({
  ...method,
  ...changes,
  updated_at: expect.any(String),
});

describe('payment crashes after any single write', () => {
  it('charges a payment whose client retries once, and settles it', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aCustomer(payment);
      await payment.untilQuiet();
      const [input, options] = [paymentFor(customer.booking, customer.method), withKey(customer.family, `pay ${n}`)];
      const crashed = await payment.crashAt(n, createPayment, input, options);
      const answered = await payment.insist(createPayment, input, options);
      await expectSettled(customer, 1);
      // On a busy machine the answer may be `pending`.
      const principal = customer.family;
      const settled = await payment.harness.call(getPayment, { payment_id: answered.id }, { principal });
      expect(settled.status).toBe('succeeded');
      expect((await storedPayments(payment, customer.booking)).map(({ _id }) => _id)).toEqual([answered.id]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('charges a payment by a slow processor whose client does not retry once, and settles it', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_timeout');
      await payment.untilQuiet();
      const options = { principal: customer.family };
      const crashed = await payment.crashAt(n, createPayment, paymentFor(customer.booking, customer.method), options);
      await expectSettled(customer, 1);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('stores a declined payment once, and releases its reservation', async () => {
    await payment.service.everywhere(async (n) => {
      const customer = await aCustomer(payment, 'pm_card_declined');
      await payment.untilQuiet();
      const [input, options] = [
        paymentFor(customer.booking, customer.method),
        withKey(customer.family, `declined ${n}`),
      ];
      const crashed = await payment.crashAt(n, createPayment, input, options);
      await expect(payment.insist(createPayment, input, options)).rejects.toMatchObject({ reason: 'card_declined' });
      await payment.untilQuiet();
      expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(['failed']);
      expect(await storedPayments(payment, customer.booking)).toMatchObject([{ status: 'failed', step: 'done' }]);
      return crashed;
    });
  });

  it('adds a method once, with one default, and removes it once', async () => {
    await payment.service.everywhere(async (n) => {
      const family = aFamily();
      const first = await addCard(payment, family);
      const input = { account_id: family.accountId, processor_payment_method_id: 'pm_card_visa', is_default: true };
      const crashed = await payment.crashAt(n, addPaymentMethod, input, withKey(family, `add ${n}`));
      const added = await payment.insist(addPaymentMethod, input, withKey(family, `add ${n}`));
      expect(await methodsOf(payment, family)).toEqual([added, changedOf(first, { is_default: false })]);
      await payment.untilQuiet();
      await payment.expectPublished(added.id, ['payment_method.added']);
      return crashed;
    });
    await payment.service.everywhere(async (n) => {
      const family = aFamily();
      const [first, second] = [await addCard(payment, family), await addCard(payment, family)];
      await payment.untilQuiet();
      const crashed = await payment.crashAt(
        n,
        removePaymentMethod,
        { payment_method_id: first.id },
        { principal: family },
      );
      await payment.untilQuiet();
      expect(await methodsOf(payment, family)).toEqual([changedOf(second, { is_default: true })]);
      await payment.expectPublished(first.id, ['payment_method.added', 'payment_method.removed']);
      return crashed;
    });
  });
});

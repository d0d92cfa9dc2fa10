import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPayment, createRefund } from '@swim/contracts';
import { type RequestOptions, until } from '@swim/testing';
import {
  aCustomer,
  chargesOf,
  lapse,
  pay,
  paymentFor,
  schoolOf,
  storedPayments,
  storedRefunds,
  withKey,
} from '../harness.js';
import { type CrashHarness, startCrashHarness } from './crash-harness.js';

const HURRIED_MS = 700;

let payment: CrashHarness;

jest.setTimeout(420_000);
beforeAll(async () => {
  payment = await startCrashHarness();
});
afterAll(() => payment?.stop());

/** The stored fields of a payment or refund. */
type Stored = () => Promise<{ step: string }[]>;

/**
 * Requests something while the booking service is down, until it is stored; then the booking is changed by `change`, so that it
 * rejects the repeated request. Resolves when what an earlier request may have reserved is withdrawn.
 */
async function rejectedOnceBack(request: () => Promise<unknown>, stored: Stored, change: () => void): Promise<void> {
  payment.bookings.silence();
  try {
    await until(async () => {
      await request().catch(() => undefined);
      return (await stored()).length > 0;
    }, 'it is stored');
  } finally {
    change();
    payment.bookings.answer(payment.harness);
  }
  await untilWithdrawn(stored);
}

/** Waits until nothing is left to do; the lease that a withdrawal waits for ends. */
const untilWithdrawn = (stored: Stored) =>
  until(async () => {
    const steps = (await stored()).map(({ step }) => step);
    if (steps.includes('withdraw')) await lapse(payment);
    return steps.every((step) => step === 'done');
  }, 'it is withdrawn');

const hurried = (options: RequestOptions): RequestOptions => ({ ...options, budgetMs: HURRIED_MS });

describe('payment crashes after any single write of', () => {
  it('an authorisation: the client that retries gets it authorised, once', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const { family, method, booking } = await aCustomer(payment);
      await payment.untilQuiet();
      const [input, options] = [paymentFor(booking, method, { capture: false }), withKey(family, `authorise ${n}`)];
      const crashed = await payment.crashAt(n, createPayment, input, options);
      const { id } = await payment.insist(createPayment, input, options);
      await payment.untilQuiet();
      expect(await storedPayments(payment, booking)).toMatchObject([{ _id: id, status: 'authorized', step: 'done' }]);
      expect(await chargesOf(payment, id)).toMatchObject([{ state: 'authorized' }]);
      expect([...booking.payments]).toMatchObject([[id, { state: 'authorized' }]]);
      await payment.expectPublished(id, ['payment.authorized']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('a payment that its booking rejects after an outage: nothing is charged, and nothing stays reserved', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const { family, method, booking } = await aCustomer(payment);
      await payment.untilQuiet();
      const request = () => {
        const options = hurried(withKey(family, `rejected ${n}`));
        return payment.harness.call(createPayment, paymentFor(booking, method), options);
      };
      const stored = () => storedPayments(payment, booking);
      let working: Promise<void> | undefined;
      const crashed = await payment.crashDuring(n, () => {
        working = rejectedOnceBack(request, stored, () => {
          booking.cancelled = true;
        });
        return working;
      });
      await working;
      await untilWithdrawn(stored);
      await payment.untilQuiet();
      expect(await stored()).toMatchObject([{ status: 'pending', readers: [] }]);
      expect([...booking.payments.values()]).toMatchObject([{ state: 'withdrawn', amountCents: 0 }]);
      expect(await chargesOf(payment, (await stored())[0]!._id)).toEqual([]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('a refund that its booking rejects after an outage: nothing is refunded, and nothing stays set aside', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aCustomer(payment);
      const { id } = await pay(payment, customer);
      await payment.untilQuiet();
      const input = { payment_id: id, reason: 'Closed.' };
      const request = () =>
        payment.harness.call(createRefund, input, hurried(withKey(schoolOf(customer), `refund rejected ${n}`)));
      const stored = () => storedRefunds(payment, id);
      let working: Promise<void> | undefined;
      const crashed = await payment.crashDuring(n, () => {
        // Meanwhile the booking gives all of it back by itself.
        working = rejectedOnceBack(request, stored, () => payment.bookings.allocate(customer.booking, id, 6_000));
        return working;
      });
      await working;
      await untilWithdrawn(stored);
      await payment.untilQuiet();
      const [refund] = await stored();
      expect(customer.booking.refunds.get(refund!._id)).toMatchObject({ state: 'withdrawn', amountCents: 0 });
      expect((await chargesOf(payment, id))[0]!.refundedCents ?? 0).toBe(0);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });
});

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPayment, receiveStripeWebhook, removePaymentMethod } from '@swim/contracts';
import { sharedClock } from '@swim/platform';
import { type CrashHarness, startCrashHarness } from './crash-harness.js';
import type { FakeStripe } from './fake-stripe.js';
import { type Customer, paymentFor, storedPayments, withKey } from './harness.js';
import { aLiveCustomer, settingsFor, startFakeStripe } from './stripe-harness.js';

let payment: CrashHarness & { stripe: FakeStripe };

jest.setTimeout(420_000);
beforeAll(async () => {
  const stripe = await startFakeStripe();
  payment = { ...(await startCrashHarness('live', settingsFor(stripe))), stripe };
});
afterAll(async () => {
  await payment?.stop();
  await payment?.stripe.stop();
});

const intentsOf = async ({ booking }: Customer) =>
  (await storedPayments(payment, booking, 'live')).flatMap(({ _id }) => payment.stripe.intentsOf(_id));
const webhook = (type: string, object: Record<string, unknown>) =>
  payment.stripe.webhook(type, object, Math.floor(sharedClock.nowMs() / 1_000));

describe('payment crashes after any single write of', () => {
  it('a live payment: the client that retries is charged once', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aLiveCustomer(payment);
      await payment.untilQuiet();
      const [input, options] = [paymentFor(customer.booking, customer.method), withKey(customer.family, `live ${n}`)];
      const crashed = await payment.crashAt(n, createPayment, input, options);
      expect(await payment.insist(createPayment, input, options)).toMatchObject({ status: 'succeeded' });
      await payment.untilQuiet();
      expect((await intentsOf(customer)).map(({ status }) => status)).toEqual(['succeeded']);
      expect(payment.bookings.paidCents(customer.booking)).toBe(customer.booking.amountCents);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('a dispute that is lost: it is recorded once, with one event', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aLiveCustomer(payment);
      const options = withKey(customer.family, `disputed ${n}`);
      const paid = await payment.insist(createPayment, paymentFor(customer.booking, customer.method), options);
      await payment.untilQuiet();
      const dispute = payment.stripe.dispute((await intentsOf(customer))[0]!, 'lost');
      const sent = webhook('charge.dispute.created', dispute);
      const crashed = await payment.crashAt(n, receiveStripeWebhook, sent, {});
      // Stripe repeats a webhook that was not acknowledged.
      await payment.insist(receiveStripeWebhook, sent, {});
      await payment.untilQuiet();
      expect(customer.booking.disputes).toMatchObject([{ paymentId: paid.id, state: 'lost', amountCents: 6_000 }]);
      await payment.expectPublished(paid.id, ['payment.succeeded', 'payment.disputed']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });

  it('the removal of a method: it is detached', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const { family, method, token } = await aLiveCustomer(payment);
      await payment.untilQuiet();
      const input = { payment_method_id: method.id };
      const crashed = await payment.crashAt(n, removePaymentMethod, input, { principal: family });
      await payment.untilQuiet();
      expect(payment.stripe.customerOf(token)).toBeNull();
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  });
});

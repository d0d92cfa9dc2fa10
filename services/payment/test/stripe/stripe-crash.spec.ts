import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPayment, createRefund, receiveStripeWebhook, removePaymentMethod } from '@swim/contracts';
import { sharedClock } from '@swim/platform';
import { updateAll } from '@swim/testing';
import { type CrashHarness, startCrashHarness } from '../faults/crash-harness.js';
import { type Customer, paymentFor, schoolOf, storedPayments, storedRefunds, withKey } from '../harness.js';
import type { FakeStripe } from './fake-stripe.js';
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

  it('a live payment whose cardholder does not act: it is cancelled at Stripe, and its booking is free', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aLiveCustomer(payment, 'sca');
      await payment.untilQuiet();
      const [input, options] = [paymentFor(customer.booking, customer.method), withKey(customer.family, `late ${n}`)];
      const aged = async () => {
        const reservedAt = new Date(sharedClock.nowMs() - 16 * 60_000);
        const payments = payment.harness.database('payment_live').collection('payments');
        await updateAll(payments, { bookingId: customer.booking.id }, { reservedAt });
      };
      const crashed = await payment.crashDuring(n, async () => {
        await payment.harness.call(createPayment, input, options);
        await aged();
      });
      const { id } = await payment.insist(createPayment, input, options);
      await aged();
      await payment.untilQuiet();
      expect((await intentsOf(customer)).map(({ status }) => status)).toEqual(['canceled']);
      expect(await storedPayments(payment, customer.booking, 'live')).toMatchObject([{ _id: id, status: 'failed' }]);
      expect([...customer.booking.payments.values()].map(({ state }) => state)).toEqual(['failed']);
      await payment.expectPublished(id, ['payment.failed']);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(7);
  });

  it('a live refund: the client that retries gets one refund', async () => {
    const writes = await payment.service.everywhere(async (n) => {
      const customer = await aLiveCustomer(payment);
      const options = withKey(customer.family, `refunded ${n}`);
      const { id } = await payment.insist(createPayment, paymentFor(customer.booking, customer.method), options);
      await payment.untilQuiet();
      const input = { payment_id: id, amount_cents: 2_500, reason: 'Closed.' };
      const bySchool = withKey(schoolOf(customer, 'live'), `refund ${n}`);
      const crashed = await payment.crashAt(n, createRefund, input, bySchool);
      await payment.insist(createRefund, input, bySchool);
      await payment.untilQuiet();
      const [intent] = await intentsOf(customer);
      const made = payment.stripe.refunds.filter((each) => each.payment_intent === intent!.id);
      expect(made.map(({ amount }) => amount)).toEqual([2_500]);
      expect(await storedRefunds(payment, id, 'live')).toMatchObject([{ status: 'succeeded', step: 'done' }]);
      expect(payment.bookings.refundedCents(customer.booking)).toBe(2_500);
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
      await payment.expectPublished(paid.id, ['payment.succeeded', 'payment.disputed', 'payment.dispute_closed']);
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

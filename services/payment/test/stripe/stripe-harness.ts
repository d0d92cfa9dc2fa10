import { getPayment, type Payment, type PaymentMethod, receiveStripeWebhook } from '@swim/contracts';
import { sharedClock } from '@swim/platform';
import { until } from '@swim/testing';
import {
  addCard,
  aFamily,
  type Customer,
  lapse,
  type PaymentHarness,
  pay,
  type Surroundings,
  startPayment,
  storedPayments,
} from '../harness.js';
import type { KnownBooking } from '../known-bookings.js';
import { FakeStripe } from './fake-stripe.js';
import type { Fields, Intent, StripeAccount } from './stripe-account.js';

const WEBHOOK_SECRET = 'whsec_of_the_tests';

/** The settings of a service whose live payments this fake of Stripe makes. */
export const settingsFor = ({ url }: FakeStripe, timeoutMs = 6_000): Record<string, string> => ({
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_URL: url,
  PROCESSOR_TIMEOUT_MS: String(timeoutMs),
});

export interface StripeHarness extends PaymentHarness {
  stripe: FakeStripe;
}

export const startFakeStripe = (): Promise<FakeStripe> => FakeStripe.start(WEBHOOK_SECRET);

/** The payment service with live payments at a fake of Stripe. */
export async function startWithStripe(timeoutMs?: number): Promise<StripeHarness> {
  const stripe = await startFakeStripe();
  const payment = await startPayment(settingsFor(stripe, timeoutMs));
  return {
    ...payment,
    stripe,
    async stop() {
      await payment.stop();
      await stripe.stop();
    },
  };
}

type WithStripe = Surroundings & { stripe: FakeStripe };

/** A live account with a card of this kind and a booking to pay. */
export async function aLiveCustomer(
  payment: WithStripe,
  kind: Parameters<StripeAccount['card']>[0] = 'ok',
  booked: Partial<KnownBooking> = {},
): Promise<Customer & { method: PaymentMethod; token: string }> {
  const family = aFamily('live');
  const token = payment.stripe.card(kind);
  const method = await addCard(payment, family, token);
  return { family, method, token, booking: payment.bookings.booking({ accountId: family.accountId, ...booked }) };
}

/** The payment of a booking as it is now, for its payer. */
export async function paymentOf({ harness }: Surroundings, { family, booking }: Customer): Promise<Payment> {
  const [stored] = await storedPayments({ harness }, booking, 'live');
  return harness.call(getPayment, { payment_id: stored!._id }, { principal: family });
}

/** Waits until the payment of a booking has this status, and nothing of it is left to do; all leases end meanwhile. */
export async function ends(payment: Surroundings, customer: Customer, status: Payment['status']): Promise<Payment> {
  const { booking } = customer;
  const isEnded = async () => {
    const [stored] = await storedPayments(payment, booking, 'live');
    if (stored?.status === status && stored.step === 'done') return true;
    await lapse(payment, 'live');
    return false;
  };
  await until(isEnded, `the payment is ${status}`);
  return paymentOf(payment, customer);
}

/** Sends a webhook as Stripe does: signed, `ageSeconds` ago. */
export function webhook({ harness, stripe }: WithStripe, type: string, object: Fields, ageSeconds = 0) {
  const sent = stripe.webhook(type, object, Math.floor(sharedClock.nowMs() / 1_000) - ageSeconds);
  return harness.call(receiveStripeWebhook, sent);
}

/** The only PaymentIntent of the payment of a booking. */
export async function intentOf(payment: WithStripe, { booking }: Customer): Promise<Intent> {
  const [stored] = await storedPayments(payment, booking, 'live');
  const [intent, ...others] = payment.stripe.intentsOf(stored!._id);
  if (!intent || others.length > 0) throw new Error(`There are ${others.length + 1} PaymentIntents of one payment.`);
  return intent;
}

/** A live account whose payment of a booking has succeeded, and the payment's id. */
export async function aPaidCustomer(payment: WithStripe): Promise<Customer & { id: string }> {
  const customer = await aLiveCustomer(payment);
  const { id } = await pay(payment, customer);
  await ends(payment, customer, 'succeeded');
  return { ...customer, id };
}

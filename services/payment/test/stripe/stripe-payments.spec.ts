import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { capturePayment, createPayment, getPayment, type Payment, voidPayment } from '@swim/contracts';
import { rejectionOf, until, updateAll } from '@swim/testing';
import { type Customer, lapse, pay, schoolOf, storedPayments, withKey } from '../harness.js';
import { aLiveCustomer, ends, intentOf, paymentOf, type StripeHarness, startWithStripe } from './stripe-harness.js';

let payment: StripeHarness;
beforeAll(async () => {
  payment = await startWithStripe();
});
afterAll(() => payment?.stop());

const CONFIRM = /POST .*\/confirm/;
const CREATE = /POST \/v1\/payment_intents$/;
const CANCEL = /POST .*\/cancel/;

const stored = async ({ booking }: Customer) => (await storedPayments(payment, booking, 'live'))[0]!;
const bookingState = async (customer: Customer) => customer.booking.payments.get((await stored(customer))._id)?.state;

/** Makes the charge of a booking's payment this old. */
async function age({ booking }: Customer, minutes: number): Promise<void> {
  const reservedAt = new Date(Date.now() - minutes * 60_000);
  await updateAll(
    payment.harness.database('payment_live').collection('payments'),
    { bookingId: booking.id },
    { reservedAt },
  );
}

/** Expects exactly one PaymentIntent that has charged, and a booking that knows it. */
async function expectChargedOnce(customer: Customer): Promise<void> {
  expect(await intentOf(payment, customer)).toMatchObject({
    status: 'succeeded',
    amount: customer.booking.amountCents,
  });
  await until(() => payment.bookings.paidCents(customer.booking) === customer.booking.amountCents, 'it is paid');
}

describe('a live payment', () => {
  it('is a PaymentIntent of the account’s customer, with the payment’s id', async () => {
    const customer = await aLiveCustomer(payment);
    const paid = await pay(payment, customer);
    expect(paid).toMatchObject({ status: 'succeeded', failure_code: null, next_action: null });
    expect(await intentOf(payment, customer)).toMatchObject({
      status: 'succeeded',
      currency: 'usd',
      customer: payment.stripe.customerOf(customer.token),
      metadata: { payment_id: paid.id },
    });
    await expectChargedOnce(customer);
  });

  it.each([
    ['declined', 'insufficient_funds'],
    ['stolen', 'card_declined'],
  ] as const)(
    'with a %s card is 402 with %s, and its PaymentIntent cannot be confirmed any more',
    async (kind, code) => {
      const customer = await aLiveCustomer(payment, kind);
      const rejection = await rejectionOf(pay(payment, customer));
      expect(rejection).toMatchObject({ reason: 'card_declined', details: { decline_code: code } });
      expect(await intentOf(payment, customer)).toMatchObject({ status: 'canceled' });
      expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: code });
      expect(await bookingState(customer)).toBe('failed');
    },
  );

  it('in a currency that Stripe counts differently is charged in its units', async () => {
    const customer = await aLiveCustomer(payment, 'ok', { currency: 'ISK', amountCents: 4_500 });
    await pay(payment, customer, { currency: 'ISK' });
    expect(await intentOf(payment, customer)).toMatchObject({ amount: 450_000, currency: 'isk' });
  });

  it('of an amount that Stripe does not take in its currency is rejected, and nothing is charged', async () => {
    const customer = await aLiveCustomer(payment, 'ok', { currency: 'KWD', amountCents: 6_180 });
    const rejection = await rejectionOf(pay(payment, customer, { currency: 'KWD', amount_cents: 6_173 }));
    expect(rejection).toMatchObject({ reason: 'not_representable', details: { field: 'amount_cents' } });
    expect(await stored(customer)).toBeUndefined();
    expect(await pay(payment, customer, { currency: 'KWD', amount_cents: 6_170 })).toMatchObject({
      status: 'succeeded',
    });
  });

  it('of a card that was removed meanwhile fails, and nothing is charged', async () => {
    const customer = await aLiveCustomer(payment);
    payment.stripe.carryOut(`POST /v1/payment_methods/${customer.token}/detach`, {});
    const rejection = await rejectionOf(pay(payment, customer));
    expect(rejection).toMatchObject({
      reason: 'card_declined',
      details: { decline_code: 'payment_method_not_available' },
    });
    expect(await intentOf(payment, customer)).toMatchObject({ status: 'canceled' });
  });
});

describe('a live authorisation', () => {
  const authorized = async (): Promise<Customer & { id: string }> => {
    const customer = await aLiveCustomer(payment);
    const { id, status } = await pay(payment, customer, { capture: false });
    expect(status).toBe('authorized');
    return { ...customer, id };
  };
  const bySchool = (customer: Customer) => ({ principal: schoolOf(customer, 'live') });

  it('is captured in full, once, also when the answer is lost', async () => {
    const customer = await authorized();
    payment.stripe.disturb(/capture/, 'lose');
    const input = { payment_id: customer.id };
    expect((await payment.harness.call(capturePayment, input, bySchool(customer))).status).toBe('authorized');
    await ends(payment, customer, 'succeeded');
    await expectChargedOnce(customer);
  });

  it('is released by a void', async () => {
    const customer = await authorized();
    const voided = await payment.harness.call(voidPayment, { payment_id: customer.id }, bySchool(customer));
    expect([voided.status, (await intentOf(payment, customer)).status]).toEqual(['voided', 'canceled']);
  });

  it('that has ended at Stripe is voided by an attempt to capture it', async () => {
    const customer = await authorized();
    payment.stripe.become(await intentOf(payment, customer), 'canceled');
    const capturing = payment.harness.call(capturePayment, { payment_id: customer.id }, bySchool(customer));
    expect(await rejectionOf(capturing)).toMatchObject({ reason: 'invalid_state', details: { status: 'voided' } });
  });
});

describe('a live payment whose bank requires the cardholder', () => {
  const begun = async (): Promise<{ customer: Customer; pending: Payment }> => {
    const customer = await aLiveCustomer(payment, 'sca');
    return { customer, pending: await pay(payment, customer) };
  };

  it('is pending with what the cardholder has to do, which the payer alone gets', async () => {
    const { customer, pending } = await begun();
    const next = { type: 'use_processor_sdk', redirect_url: null, client_secret: 'pi_secret' };
    expect(pending).toMatchObject({ status: 'pending', next_action: next });
    expect(await paymentOf(payment, customer)).toMatchObject({ status: 'pending', next_action: next });
    const bySchool = { principal: schoolOf(customer, 'live') };
    const seen = await payment.harness.call(getPayment, { payment_id: pending.id }, bySchool);
    expect(seen).toMatchObject({ status: 'pending', next_action: null });
  });

  it('succeeds once the cardholder has acted', async () => {
    const { customer } = await begun();
    payment.stripe.become(await intentOf(payment, customer), 'succeeded');
    expect(await ends(payment, customer, 'succeeded')).toMatchObject({ next_action: null });
    await expectChargedOnce(customer);
  });

  it('fails when he fails, and cannot be tried with another card', async () => {
    const { customer } = await begun();
    const error = { type: 'card_error', code: 'payment_intent_authentication_failure' };
    payment.stripe.become(await intentOf(payment, customer), 'requires_payment_method', error);
    expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: 'authentication_failed' });
    expect((await intentOf(payment, customer)).status).toBe('canceled');
  });

  it('keeps its amount for 15 minutes, and is cancelled at Stripe after that', async () => {
    const { customer } = await begun();
    await age(customer, 14);
    const { attempt } = await stored(customer);
    await lapse(payment, 'live');
    await until(async () => (await stored(customer)).attempt > attempt, 'it is queried again');
    expect([(await stored(customer)).status, await bookingState(customer)]).toEqual(['pending', 'reserved']);
    await age(customer, 16);
    expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: 'authentication_timeout' });
    expect((await intentOf(payment, customer)).status).toBe('canceled');
    expect(await bookingState(customer)).toBe('failed');
  });
});

describe('a live charge by the consent of the family', () => {
  const charge = async (kind: 'ok' | 'sca') => {
    const customer = await aLiveCustomer(payment, kind);
    const { id: booking_id, amountCents: amount_cents, currency } = customer.booking;
    customer.booking.consentedMethodId = customer.method.id;
    const from = payment.stripe.requests.length;
    const input = { booking_id, amount_cents, currency };
    const made = payment.harness.call(createPayment, input, { principal: schoolOf(customer, 'live') });
    const confirmations = () => payment.stripe.requests.slice(from).filter((request) => CONFIRM.test(request));
    return { customer, made, confirmations };
  };

  it('is off-session: the card is charged without its holder', async () => {
    const { customer, made, confirmations } = await charge('ok');
    expect(await made).toMatchObject({ status: 'succeeded', next_action: null });
    await expectChargedOnce(customer);
    expect(confirmations()).toHaveLength(1);
  });

  it('is authentication_required where the bank requires the holder: nothing is left open, and the family pays', async () => {
    const { customer, made, confirmations } = await charge('sca');
    expect(await rejectionOf(made)).toMatchObject({
      reason: 'authentication_required',
      details: { decline_code: 'authentication_required' },
    });
    expect(confirmations()).toHaveLength(1);
    expect((await intentOf(payment, customer)).status).toBe('canceled');
    expect(await bookingState(customer)).toBe('failed');
    expect(await pay(payment, customer)).toMatchObject({ status: 'pending', next_action: expect.any(Object) });
  });
});

describe('a live payment to which Stripe’s answer is lost', () => {
  it.each([
    ['the PaymentIntent is made', CREATE],
    ['it is confirmed', CONFIRM],
  ])('when %s is pending, and found with one charge', async (_, path) => {
    const customer = await aLiveCustomer(payment);
    payment.stripe.disturb(path, 'lose');
    expect((await pay(payment, customer)).status).toBe('pending');
    await ends(payment, customer, 'succeeded');
    await expectChargedOnce(customer);
  });

  it('by a cut connection is repeated by the SDK under the same key, and charged once', async () => {
    const customer = await aLiveCustomer(payment);
    for (const path of [CREATE, CONFIRM]) payment.stripe.disturb(path, 'cut');
    expect((await pay(payment, customer)).status).toBe('succeeded');
    await expectChargedOnce(customer);
  });

  it('and whose keys Stripe has forgotten is found by its id', async () => {
    const customer = await aLiveCustomer(payment);
    payment.stripe.disturb(CONFIRM, 'lose');
    await pay(payment, customer);
    payment.stripe.forgetKeys();
    await ends(payment, customer, 'succeeded');
    await expectChargedOnce(customer);
  });

  it('by an error of Stripe’s own is retried', async () => {
    const customer = await aLiveCustomer(payment);
    for (const status of [500, 429, 409]) payment.stripe.disturb(CREATE, status);
    expect((await pay(payment, customer)).status).toBe('pending');
    await ends(payment, customer, 'succeeded');
    await expectChargedOnce(customer);
  });

  it('because Stripe keeps an error for its key is abandoned, and nothing is charged', async () => {
    const customer = await aLiveCustomer(payment);
    payment.stripe.disturb(CREATE, 'keep an error');
    expect((await pay(payment, customer)).status).toBe('pending');
    await age(customer, 61);
    expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: 'processing_timeout' });
    expect(payment.stripe.intentsOf((await stored(customer))._id)).toEqual([]);
  });

  it('when a declined one is cancelled stays pending until it is cancelled', async () => {
    const customer = await aLiveCustomer(payment, 'declined');
    payment.stripe.disturb(CANCEL, 500);
    expect((await pay(payment, customer)).status).toBe('pending');
    expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: 'insufficient_funds' });
    expect((await intentOf(payment, customer)).status).toBe('canceled');
  });

  it('until it is abandoned fails, and a request to Stripe that arrives later charges nothing', async () => {
    const customer = await aLiveCustomer(payment);
    const arrives = Promise.withResolvers<void>();
    payment.stripe.disturb(CREATE, { after: arrives.promise });
    const before = payment.stripe.requests.length;
    const isAtStripe = () => payment.stripe.requests.slice(before).some((request) => CREATE.test(request));
    // On a busy machine a request may end before it has come so far.
    const paying = until(async () => {
      await pay(payment, customer, {}, withKey(customer.family, 'late at Stripe')).catch(() => undefined);
      return isAtStripe();
    }, 'a request has come to Stripe');
    await until(isAtStripe, 'it is at Stripe');
    await age(customer, 61);
    expect(await ends(payment, customer, 'failed')).toMatchObject({ failure_code: 'processing_timeout' });
    arrives.resolve();
    await paying;
    await until(() => payment.stripe.isIdle, 'the late request and those that follow it are answered');
    expect(payment.stripe.intentsOf((await stored(customer))._id).map(({ status }) => status)).toEqual(['canceled']);
    expect(await bookingState(customer)).toBe('failed');
  });

  it('is found by the same key, and not charged again', async () => {
    const customer = await aLiveCustomer(payment);
    payment.stripe.disturb(CONFIRM, 'lose');
    const first = await pay(payment, customer, {}, withKey(customer.family, 'a lost answer'));
    const again = await pay(payment, customer, {}, withKey(customer.family, 'a lost answer'));
    expect(again.id).toBe(first.id);
    await ends(payment, customer, 'succeeded');
    await expectChargedOnce(customer);
  });
});

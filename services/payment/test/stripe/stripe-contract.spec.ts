import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createLogger, newId } from '@swim/platform';
import type Stripe from 'stripe';
import type { Config } from '../../src/config.js';
import { StripeAdapter } from '../../src/processor/stripe/stripe.adapter.js';
import { stripeClient } from '../../src/processor/stripe/stripe-client.js';
import { type StripeMock, startStripeMock } from './stripe-mock.js';

let mock: StripeMock;
let stripe: Stripe;
let adapter: StripeAdapter;
/** Requests of the adapter, and how stripe-mock has answered them. */
const answered: [request: string, status: number][] = [];

// It may have to be built first.
jest.setTimeout(660_000);
beforeAll(async () => {
  mock = await startStripeMock();
  const settings = { STRIPE_API_URL: mock.url, PROCESSOR_TIMEOUT_MS: 20_000 } as Config;
  stripe = stripeClient('sk_test_123', settings);
  stripe.on('response', ({ method, path, status }: Stripe.ResponseEvent) => {
    answered.push([`${method} ${path.split('?')[0]}`, status]);
  });
  adapter = new StripeAdapter(() => stripe, createLogger('tests', 'silent'));
});
afterAll(() => mock?.stop());

/** The requests of a call, all of which Stripe's own description of its API must accept. */
async function requestsOf(call: Promise<unknown>): Promise<string[]> {
  answered.length = 0;
  await call;
  const rejected = answered.filter(([, status]) => status !== 200);
  expect(rejected).toEqual([]);
  return answered.map(([request]) => request.replaceAll(/(pi|pm|cus)_\w+/g, '$1'));
}

const charge = {
  paymentId: newId('pay'),
  token: 'pm_1',
  customerId: 'cus_1',
  amountCents: 6_000,
  currency: 'USD',
  capture: true,
  reference: null,
};
const known = { ...charge, reference: 'pi_1' };

describe('Stripe’s API accepts', () => {
  it('customers, made with our id and removed', async () => {
    expect(await adapter.createCustomer(newId('acct'))).toMatch(/^cus_/);
    expect(await requestsOf(adapter.removeCustomer('cus_1'))).toEqual(['DELETE /v1/customers/cus']);
  });

  it('a SetupIntent of a customer for cards, whose client secret it answers', async () => {
    expect(await adapter.setUpMethod('cus_1')).toMatch(/^seti_/);
    expect(await requestsOf(adapter.setUpMethod('cus_1'))).toEqual(['POST /v1/setup_intents']);
  });

  it('methods, described, attached and detached', async () => {
    expect(await requestsOf(adapter.describeMethod('pm_1', null))).toEqual(['GET /v1/payment_methods/pm']);
    expect(await requestsOf(adapter.attachMethod('pm_1', 'cus_1'))).toEqual(['POST /v1/payment_methods/pm/attach']);
    expect(await requestsOf(adapter.detachMethod('pm_1'))).toEqual(['POST /v1/payment_methods/pm/detach']);
  });

  it.each([true, false])('a PaymentIntent, made with capture: %s', async (capture) => {
    const requests = await requestsOf(adapter.charge({ ...charge, paymentId: newId('pay'), capture }));
    expect(requests[0]).toBe('POST /v1/payment_intents');
  });

  it('its confirmation, without and with the cardholder', async () => {
    const expand = ['latest_charge'];
    await stripe.paymentIntents.confirm('pi_1', { off_session: true, expand });
    await stripe.paymentIntents.confirm('pi_1', { payment_method: 'pm_1', use_stripe_sdk: true, expand });
  });

  it('its retrieval by id, and the list of the customer’s', async () => {
    expect((await requestsOf(adapter.find(known)))[0]).toBe('GET /v1/payment_intents/pi');
    expect((await requestsOf(adapter.find(charge)))[0]).toBe('GET /v1/payment_intents');
  });

  it('its capture and cancellation', async () => {
    expect(await requestsOf(adapter.cancel(known))).toContain('POST /v1/payment_intents/pi/cancel');
    await stripe.paymentIntents.capture('pi_1', { expand: ['latest_charge'] });
  });

  it('refunds, looked up and made', async () => {
    const refundId = newId('rfd');
    const request = { refundId, key: `${refundId}:0`, charge: known, amountCents: 1_000 };
    expect(await adapter.refund(request)).toMatchObject({ status: expect.any(String) });
    expect(await requestsOf(adapter.refund(request))).toEqual([
      'GET /v1/payment_intents/pi',
      'GET /v1/refunds',
      'POST /v1/refunds',
    ]);
    expect(await requestsOf(adapter.findRefund(request))).toEqual(['GET /v1/payment_intents/pi', 'GET /v1/refunds']);
  });

  it('the list of refunds', async () => {
    const [refund] = await adapter.refundsOf(known);
    expect(refund).toMatchObject({ refundId: null, amountCents: expect.any(Number), createdAt: expect.any(Date) });
    expect(await requestsOf(adapter.refundsOf(known))).toEqual(['GET /v1/payment_intents/pi', 'GET /v1/refunds']);
  });

  it('the list of disputes', async () => {
    expect(await requestsOf(adapter.disputesOf(known))).toEqual(['GET /v1/payment_intents/pi', 'GET /v1/disputes']);
  });

  it('no parameter that it does not know', async () => {
    const wrong = { amount: 1, currency: 'usd', nonsense: 'x' } as never;
    await expect(stripe.paymentIntents.create(wrong)).rejects.toMatchObject({ statusCode: 400 });
  });
});

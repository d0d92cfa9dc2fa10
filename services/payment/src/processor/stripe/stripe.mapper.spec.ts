import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { publicCode, toCard, toChargeOutcome, toDispute, toRefundOutcome, toStripeAmount } from './stripe.mapper.js';

const intent = (fields: object) => ({ id: 'pi_1', latest_charge: null, ...fields }) as Stripe.PaymentIntent;
const dispute = (fields: object) => ({ id: 'du_1', amount: 500, currency: 'usd', ...fields }) as Stripe.Dispute;

describe('an amount', () => {
  it.each([
    ['USD', 1_234, 1_234],
    ['JPY', 1_234, 1_234],
    ['KWD', 1_230, 1_230],
    ['ISK', 1_234, 123_400],
    ['UGX', 1_234, 123_400],
    ['MGA', 1_200, 12],
  ])('in %s of %i minor units is %i at Stripe', (currency, ours, theirs) => {
    expect(toStripeAmount(ours, currency)).toBe(theirs);
    expect(toDispute(dispute({ amount: theirs, currency: currency.toLowerCase() })).amountCents).toBe(ours);
  });

  it.each([
    ['MGA', 1_250],
    ['BHD', 1_234],
    ['JOD', 1_001],
    ['KWD', 6_173],
    ['OMR', 9],
    ['TND', 15],
  ])('in %s of %i minor units is null, since Stripe does not take it', (currency, ours) => {
    expect(toStripeAmount(ours, currency)).toBeNull();
  });
});

describe('a PaymentIntent', () => {
  it.each([
    ['succeeded', 'succeeded'],
    ['requires_capture', 'authorized'],
    ['canceled', 'voided'],
    ['processing', 'unknown'],
    ['a_status_of_the_future', 'unknown'],
  ])('that is %s is %s', (status, outcome) => {
    expect(toChargeOutcome(intent({ status }))).toEqual({ status: outcome, reference: 'pi_1' });
  });

  it('that was declined and then cancelled is failed with the reason of its last charge', () => {
    const latest_charge = { status: 'failed', failure_code: 'card_declined', outcome: { reason: 'expired_card' } };
    const failed = { status: 'failed', failureCode: 'expired_card', reference: 'pi_1' };
    expect(toChargeOutcome(intent({ status: 'canceled', latest_charge }))).toEqual(failed);
  });

  it('that needs its cardholder names the page, or the secret for Stripe’s library', () => {
    const action = (next_action: object) =>
      toChargeOutcome(intent({ status: 'requires_action', client_secret: 'secret', next_action }));
    expect(action({ type: 'redirect_to_url', redirect_to_url: { url: 'https://bank' } })).toMatchObject({
      nextAction: { type: 'redirect', redirectUrl: 'https://bank', clientSecret: null },
    });
    expect(action({ type: 'use_stripe_sdk' })).toMatchObject({
      nextAction: { type: 'use_processor_sdk', redirectUrl: null, clientSecret: 'secret' },
    });
  });
});

describe('other objects', () => {
  it('a code is public in snake_case, unless it discloses what is known about the card', () => {
    const codes = ['insufficient_funds', 'stolen_card', 'fraudulent', 'Not a code.', undefined, null];
    const declined = 'card_declined';
    expect(codes.map(publicCode)).toEqual(['insufficient_funds', declined, declined, declined, declined, declined]);
  });

  it('a method that is no card is none', () => expect(toCard({ id: 'pm_1' } as Stripe.PaymentMethod)).toBeNull());

  it.each([
    ['succeeded', { status: 'succeeded' }],
    ['pending', { status: 'unknown' }],
    ['requires_action', { status: 'unknown' }],
    ['canceled', { status: 'failed', failureCode: 'refund_failed' }],
  ])('a refund that is %s is %o', (status, outcome) => {
    expect(toRefundOutcome({ status } as Stripe.Refund)).toEqual(outcome);
  });

  it.each([
    ['needs_response', 'open'],
    ['warning_under_review', 'open'],
    ['warning_closed', 'won'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['appeal_under_review', 'lost'],
  ])('a dispute that is %s is %s', (status, state) => expect(toDispute(dispute({ status })).state).toBe(state));
});

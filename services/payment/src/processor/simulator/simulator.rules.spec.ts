import { describe, expect, it } from '@jest/globals';
import { attachFailureOf, describeCard, disputeOf, refundsEndOf, TEST_TOKENS, verdictOn } from './simulator.rules.js';

const NOW = new Date('2027-03-01T12:00:00Z');

const VERDICTS = [
  ['pm_card_visa', 'visa', '4242', 'succeeded', null],
  ['pm_card_mastercard', 'mastercard', '4444', 'succeeded', null],
  ['pm_card_declined', 'visa', '0002', 'failed', 'card_declined'],
  ['pm_card_insufficient_funds', 'visa', '9995', 'failed', 'insufficient_funds'],
  ['pm_card_requires_action', 'visa', '3184', 'failed', 'authentication_required'],
  ['pm_card_timeout', 'visa', '0259', 'processing', null],
  ['pm_card_visa_debit', 'visa', '5556', 'succeeded', null],
  ['pm_card_amex', 'amex', '0005', 'succeeded', null],
  ['pm_card_gb_mastercard', 'mastercard', '4449', 'succeeded', null],
  ['pm_card_authenticationRequired', 'visa', '3184', 'succeeded', null],
  ['pm_card_threeDSecureRequired', 'visa', '3063', 'requires_action', null],
  ['pm_card_threeDSecure2Required', 'visa', '3220', 'requires_action', null],
  ['pm_card_chargeCustomerFail', 'visa', '0341', 'failed', 'generic_decline'],
  ['pm_card_radarBlock', 'visa', '0019', 'failed', 'card_declined'],
] as const;

describe('a card of the sandbox', () => {
  it.each(VERDICTS)(
    '%s is a %s ending in %s whose charge ends as %s (%s)',
    (token, brand, last4, state, failureCode) => {
      expect(describeCard(token, NOW)).toEqual({ processor: 'simulator', brand, last4, expMonth: 12, expYear: 2031 });
      expect(verdictOn(token)).toEqual({ state, failureCode });
    },
  );

  it.each([
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_velocity_exceeded'],
    ['pm_card_chargeCustomerFail', null],
    ['pm_card_visa', null],
  ])('%s, when it is added, is declined with %j', (token, failureCode) => {
    expect(attachFailureOf(token)).toBe(failureCode);
  });

  it('is one of Stripe’s or of our own, each once, some of which are disputed or whose refunds end otherwise', () => {
    expect(TEST_TOKENS.length).toBeGreaterThan(130);
    expect(new Set(TEST_TOKENS).size).toBe(TEST_TOKENS.length);
    expect(TEST_TOKENS.filter((token) => disputeOf(token) !== null)).toHaveLength(8);
    expect(TEST_TOKENS.filter((token) => refundsEndOf(token) !== null)).toHaveLength(3);
  });

  it.each(['pm_card_authenticationRequired', 'pm_card_threeDSecureRequired', 'pm_card_threeDSecure2Required'])(
    '%s is declined where its cardholder is absent',
    (token) => {
      expect(verdictOn(token, true)).toEqual({ state: 'failed', failureCode: 'authentication_required' });
    },
  );

  it('is unknown under any other token, which is never charged', () => {
    expect(describeCard('pm_card_nobody', NOW)).toBeNull();
    expect(verdictOn('pm_card_nobody')).toEqual({ state: 'failed', failureCode: 'card_declined' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { describeCard, verdictOn } from './sandbox.rules.js';

const NOW = new Date('2027-03-01T12:00:00Z');

const VERDICTS = [
  ['pm_card_visa', 'visa', '4242', 'succeeded', null],
  ['pm_card_mastercard', 'mastercard', '4444', 'succeeded', null],
  ['pm_card_declined', 'visa', '0002', 'failed', 'card_declined'],
  ['pm_card_insufficient_funds', 'visa', '9995', 'failed', 'insufficient_funds'],
  ['pm_card_requires_action', 'visa', '3184', 'failed', 'authentication_required'],
  ['pm_card_timeout', 'visa', '0259', 'processing', null],
] as const;

describe('a card of the sandbox', () => {
  it.each(VERDICTS)(
    '%s is a %s ending in %s whose charge ends as %s (%s)',
    (token, brand, last4, state, failureCode) => {
      expect(describeCard(token, NOW)).toEqual({ processor: 'simulator', brand, last4, expMonth: 12, expYear: 2031 });
      expect(verdictOn(token)).toEqual({ state, failureCode });
    },
  );

  it('is unknown under any other token, which is never charged', () => {
    expect(describeCard('pm_card_nobody', NOW)).toBeNull();
    expect(verdictOn('pm_card_nobody')).toEqual({ state: 'failed', failureCode: 'card_declined' });
  });
});

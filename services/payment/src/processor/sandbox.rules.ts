/** Verdict on a charge: `processing` until it succeeds, or decided at once; the code is the reason of a failure. */
export interface Verdict {
  state: 'processing' | 'succeeded' | 'failed';
  failureCode: string | null;
}

/** How the dispute of a charge ends; `open`: it does not. */
type DisputeEnd = 'open' | 'won' | 'lost';

interface TestCard {
  brand: string;
  last4: string;
  verdict: Verdict;
  dispute?: DisputeEnd;
}

const SUCCEEDS: Verdict = { state: 'succeeded', failureCode: null };
const failsWith = (failureCode: string): Verdict => ({ state: 'failed', failureCode });

const REFUND_FAILS_FIRST = 'pm_card_refund_fails';

/** The tokens of contract, Payments; numbers end like those of Stripe's published test cards. */
const TEST_CARDS = new Map<string, TestCard>([
  ['pm_card_visa', { brand: 'visa', last4: '4242', verdict: SUCCEEDS }],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444', verdict: SUCCEEDS }],
  ['pm_card_declined', { brand: 'visa', last4: '0002', verdict: failsWith('card_declined') }],
  ['pm_card_insufficient_funds', { brand: 'visa', last4: '9995', verdict: failsWith('insufficient_funds') }],
  ['pm_card_requires_action', { brand: 'visa', last4: '3184', verdict: failsWith('authentication_required') }],
  [REFUND_FAILS_FIRST, { brand: 'visa', last4: '7726', verdict: SUCCEEDS }],
  ['pm_card_createDispute', { brand: 'visa', last4: '0259', verdict: SUCCEEDS, dispute: 'open' }],
  ['pm_card_dispute_won', { brand: 'visa', last4: '0259', verdict: SUCCEEDS, dispute: 'won' }],
  ['pm_card_dispute_lost', { brand: 'visa', last4: '0259', verdict: SUCCEEDS, dispute: 'lost' }],
  ['pm_card_timeout', { brand: 'visa', last4: '0259', verdict: { state: 'processing', failureCode: null } }],
]);

const YEARS_VALID = 4;

/** The card of a token, valid for four more years; null for an unknown token. */
export function describeCard(token: string, now: Date) {
  const card = TEST_CARDS.get(token);
  if (!card) return null;
  return {
    processor: 'simulator',
    brand: card.brand,
    last4: card.last4,
    expMonth: 12,
    expYear: now.getUTCFullYear() + YEARS_VALID,
  };
}

/** The result of a charge of this token. An unknown token is declined, like a removed card. */
export const verdictOn = (token: string): Verdict => TEST_CARDS.get(token)?.verdict ?? failsWith('card_declined');

/** Whether the first refund of a charge of this token fails; the next one succeeds. */
export const failsFirstRefund = (token: string): boolean => token === REFUND_FAILS_FIRST;

/** How the dispute of a charge of this token ends; null without a dispute. */
export const disputeOf = (token: string): DisputeEnd | null => TEST_CARDS.get(token)?.dispute ?? null;

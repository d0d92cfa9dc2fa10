/**
 * Verdict on a charge: `processing` until it succeeds, `requires_action` until its cardholder has authenticated himself, or decided at
 * once; the code is the reason of a failure.
 */
export interface Verdict {
  state: 'processing' | 'requires_action' | 'succeeded' | 'failed';
  failureCode: string | null;
}

/** How the dispute of a charge ends; `open`: it does not. */
type DisputeEnd = 'open' | 'won' | 'lost';

/** How refunds of a charge end: the first fails at once; each is pending at first; each fails after it has succeeded. */
type RefundEnd = 'first fails' | 'late success' | 'late failure';

interface TestCard {
  brand: string;
  last4: string;
  verdict: Verdict;
  /** The verdict without the cardholder; absent: the same. */
  offSession?: Verdict;
  /** Why the processor does not keep it for a customer, which it decides by trying the card. */
  attachFailureCode?: string;
  dispute?: DisputeEnd;
  disputes?: number;
  refunds?: RefundEnd;
}

const SUCCEEDS: Verdict = { state: 'succeeded', failureCode: null };
const ASKS: Verdict = { state: 'requires_action', failureCode: null };
const failsWith = (failureCode: string): Verdict => ({ state: 'failed', failureCode });
/** The failure code of a charge whose cardholder did not authenticate himself. */
export const AUTHENTICATION_FAILED = 'authentication_failed';
const DECLINED_ALONE = { offSession: failsWith('authentication_required') };

/** Cards whose charges succeed: names after `pm_card_`, each with the last digits of its number, by brand. */
const SUCCEEDING = {
  visa:
    'visa 4242 visa_debit 5556 visa_cartesBancaires 1001 visa_debit_eftposAuCoBranded 0001 debit_visaFsaProductCode 0072 ' +
    'debit_visaHsaProductCode 0072 us 4242 ar 0021 br 0002 ca 0000 cl 0001 co 0003 cr 0005 ec 0000 mx 8001 pa 0000 py 0066 pe 0068 ' +
    'uy 0003 ae 0001 at 0008 be 0004 bg 0000 by 0005 hr 0009 cy 0008 cz 0002 dk 0001 ee 0009 fi 0001 fr 0003 de 0016 gi 0005 gr 0030 ' +
    'hu 0005 ie 0005 it 0008 lv 0005 li 0004 lt 0000 lu 0006 mt 0007 nl 0002 no 0007 pl 0005 pt 0007 ro 0001 si 0006 sk 0001 es 0007 ' +
    'se 0008 ch 0009 gb 0000 gb_debit 0005 au 0006 cn 0002 hk 0004 in 0008 jp 0003 my 0002 nz 0008 sg 0003 tw 0008 th_credit 0003 ' +
    'th_debit 0008 bypassPending 0077 bypassPendingInternational 0278 riskLevelElevated 9235 cvcCheckFail 0101 avsZipFail 0036 ' +
    'cvcCheckFailElevatedRisk 7872 avsZipFailElevatedRisk 6072 avsLine1Fail 0028 avsFail 0010 avsUnchecked 0044 ' +
    'createIssuerFraudRecord 5423 threeDSecureOptional 3055 ' +
    'threeDSecureOptionalProcessingError 3097 authenticationRequiredOnSetup 3155 ' +
    'authenticationRequiredSetupForOffSession 0446',
  mastercard:
    'mastercard 4444 mastercard_debit 8210 mastercard_prepaid 5100 mastercard_cartesBancaires 1001 ' +
    'mastercard_debit_eftposAuCoBranded 0080 mastercard_debit_mastercardFsaProductCode 8897 ae_mastercard 0022 gb_mastercard 4449',
  amex: 'amex 0005 amex_threeDSecureNotSupported 0005',
  discover: 'discover 1117',
  diners: 'diners 0004',
  jcb: 'jcb 0505',
  unionpay: 'unionpay 0005',
};

/** Cards that are declined when they are added: what follows `pm_card_chargeDeclined`, the last digits, and the reason. */
const NOT_ATTACHED = [
  ['', '0002', 'generic_decline'],
  ['InsufficientFunds', '9995', 'insufficient_funds'],
  // Stripe asks merchants not to reveal the next three.
  ['LostCard', '9987', 'card_declined'],
  ['StolenCard', '9979', 'card_declined'],
  ['Fraudulent', '0019', 'card_declined'],
  ['ExpiredCard', '0069', 'expired_card'],
  ['IncorrectCvc', '0127', 'incorrect_cvc'],
  ['ProcessingError', '0119', 'processing_error'],
  ['VelocityLimitExceeded', '6975', 'card_velocity_exceeded'],
] as const;

const visa = (last4: string, verdict: Verdict, more: Partial<TestCard> = {}): TestCard => ({
  brand: 'visa',
  last4,
  verdict,
  ...more,
});

/** Cards by what follows `pm_card_`. Stripe's own do what they do at Stripe, where the cardholder always authenticates: those whose 3-D Secure is required wait for it. */
const CARDS: Record<string, TestCard> = {
  declined: visa('0002', failsWith('card_declined')),
  insufficient_funds: visa('9995', failsWith('insufficient_funds')),
  requires_action: visa('3184', failsWith('authentication_required')),
  authenticationRequired: visa('3184', SUCCEEDS, DECLINED_ALONE),
  threeDSecureRequired: visa('3063', ASKS, DECLINED_ALONE),
  threeDSecure2Required: visa('3220', ASKS, DECLINED_ALONE),
  timeout: visa('0259', { state: 'processing', failureCode: null }),
  refund_fails: visa('7726', SUCCEEDS, { refunds: 'first fails' }),
  dispute_won: visa('0259', SUCCEEDS, { dispute: 'won' }),
  dispute_lost: visa('0259', SUCCEEDS, { dispute: 'lost' }),
  chargeCustomerFail: visa('0341', failsWith('generic_decline')),
  radarBlock: visa('0019', failsWith('card_declined')),
  riskLevelHighest: visa('4954', failsWith('card_declined')),
  authenticationRequiredChargeDeclinedInsufficientFunds: visa('3178', failsWith('insufficient_funds')),
  threeDSecureRequiredChargeDeclined: visa('1629', failsWith('generic_decline')),
  threeDSecureRequiredProcessingError: visa('1280', failsWith('generic_decline')),
  pendingRefund: visa('7726', SUCCEEDS, { refunds: 'late success' }),
  refundFail: visa('5126', SUCCEEDS, { refunds: 'late failure' }),
  createDispute: visa('0259', SUCCEEDS, { dispute: 'open' }),
  createDisputeProductNotReceived: visa('2685', SUCCEEDS, { dispute: 'open' }),
  createDisputeInquiry: visa('1976', SUCCEEDS, { dispute: 'open' }),
  createMultipleDisputes: visa('0079', SUCCEEDS, { dispute: 'open', disputes: 2 }),
  createCe3EligibleDispute: visa('0038', SUCCEEDS, { dispute: 'open' }),
  createComplianceDispute: visa('0779', SUCCEEDS, { dispute: 'open' }),
};

const TEST_CARDS = new Map<string, TestCard>([
  ...Object.entries(SUCCEEDING).flatMap(([brand, names]) =>
    [...names.matchAll(/(\S+) (\d{4})/g)].map(
      ([, name, last4]) => [`pm_card_${name}`, { brand, last4: last4!, verdict: SUCCEEDS }] as const,
    ),
  ),
  ...Object.entries(CARDS).map(([name, card]) => [`pm_card_${name}`, card] as const),
  ...NOT_ATTACHED.flatMap(([name, last4, failureCode]) =>
    ['pm_card', 'pm_card_visa'].map((prefix) => {
      const card = visa(last4, failsWith(failureCode), { attachFailureCode: failureCode });
      return [`${prefix}_chargeDeclined${name}`, card] as const;
    }),
  ),
]);

/** All tokens of the sandbox. */
export const TEST_TOKENS: readonly string[] = [...TEST_CARDS.keys()];

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

/** Why the card of a token cannot be added; null when it can. */
export const attachFailureOf = (token: string): string | null => TEST_CARDS.get(token)?.attachFailureCode ?? null;

/** The result of a charge of this token. An unknown token is declined, like a removed card. */
export function verdictOn(token: string, offSession = false): Verdict {
  const card = TEST_CARDS.get(token);
  if (!card) return failsWith('card_declined');
  return (offSession && card.offSession) || card.verdict;
}

/** How refunds of a charge of this token end; null when they succeed. */
export const refundsEndOf = (token: string): RefundEnd | null => TEST_CARDS.get(token)?.refunds ?? null;

/** How the disputes of a charge of this token end; null without a dispute. */
export const disputeOf = (token: string): DisputeEnd | null => TEST_CARDS.get(token)?.dispute ?? null;

/** How many disputes a charge of this token has, once it is disputed. */
export const disputeCountOf = (token: string): number => TEST_CARDS.get(token)?.disputes ?? 1;

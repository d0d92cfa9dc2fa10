/** The description of a card by its processor. */
export interface Card {
  /** Name of its processor. */
  processor: string;
  brand: string;
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  expYear: number;
}

/** A charge. The payment's id is the idempotency key: a repetition charges nothing more. */
export interface Charge {
  paymentId: string;
  /** The processor's id of the payment method. */
  token: string;
  amountCents: number;
  currency: string;
  /** false: only authorise the amount. */
  capture: boolean;
  /** The processor's id of an earlier attempt; null before the processor's first answer. */
  reference: string | null;
}

/** What a cardholder has to do before the processor charges. */
export interface NextAction {
  type: 'redirect' | 'use_processor_sdk';
  redirectUrl: string | null;
  clientSecret: string | null;
}

/**
 * Outcome of a charge. `failureCode` is snake_case and public; `authentication_required` requires the card's owner. `unknown`:
 * the processor has not decided yet, or could not be reached; nothing may be concluded from it. `voided`: an authorisation
 * that was released, or a charge that can no longer happen. `reference` is the processor's own id, where it has one.
 */
export type ChargeOutcome = (
  | { status: 'succeeded' | 'authorized' | 'voided' | 'unknown' }
  | { status: 'failed'; failureCode: string }
  | { status: 'requires_action'; nextAction: NextAction }
) & { reference?: string };

/** A refund of a charge. `key` is its idempotency key: another one after each known failure. */
export interface RefundRequest {
  refundId: string;
  key: string;
  charge: Charge;
  amountCents: number;
}

/** Outcome of a refund; `unknown` as for charges. */
export type RefundOutcome =
  | { status: 'succeeded' }
  | { status: 'unknown' }
  /** This attempt refunded nothing and never will. */
  | { status: 'failed'; failureCode: string };

/** A payment processor, as far as payments need one. A rejected promise leaves the outcome unknown. */
export interface Processor {
  /** The card behind a token; null when the processor does not know the token. */
  describeMethod(token: string): Promise<Card | null>;
  /** Removes a method at the processor; idempotent. */
  removeMethod(token: string): Promise<void>;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** The outcome of this payment's charge; null when the processor has none. */
  find(charge: Charge): Promise<ChargeOutcome | null>;
  /** Charges what was authorised; idempotent. Returns the outcome as it is then: `voided` when the authorisation has ended. */
  capture(charge: Charge): Promise<ChargeOutcome>;
  /**
   * Releases an authorisation, or ends a charge without an outcome; idempotent. Returns the outcome as it is then. After
   * `voided` a charge of this payment that arrives later charges nothing.
   */
  cancel(charge: Charge): Promise<ChargeOutcome>;
  /** Refunds a part of a charge; a repetition with the same key refunds nothing more and returns the current outcome. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
}

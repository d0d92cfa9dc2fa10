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
}

/**
 * Outcome of a charge. `failureCode` is snake_case and public; `authentication_required` requires the card's owner. `unknown`:
 * the processor has not decided yet, or could not be reached; nothing may be concluded from it.
 */
export type ChargeOutcome = { status: 'succeeded' } | { status: 'failed'; failureCode: string } | { status: 'unknown' };

/** A payment processor, as far as payments need one. A rejected promise leaves the outcome unknown. */
export interface Processor {
  /** The card behind a token; null when the processor does not know the token. */
  describeMethod(token: string): Promise<Card | null>;
  /** Removes a method at the processor; idempotent. */
  removeMethod(token: string): Promise<void>;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** The outcome of this payment's charge; null when the processor has none. */
  find(paymentId: string): Promise<ChargeOutcome | null>;
}

/** What tells one card from another, as its processor describes it. */
export interface Card {
  /** Name of the processor that knows it. */
  processor: string;
  brand: string;
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  expYear: number;
}

/** What is to be charged. The payment's id is the idempotency key: charged again under it, nothing more is taken. */
export interface Charge {
  paymentId: string;
  /** The processor's own name of the payment method. */
  token: string;
  amountCents: number;
  currency: string;
}

/**
 * What became of a charge. `failureCode` is snake_case and public; `authentication_required` asks for the card's owner.
 * `unknown`: the processor has not told yet, or could not be heard; nothing may be concluded from it.
 */
export type ChargeOutcome = { status: 'succeeded' } | { status: 'failed'; failureCode: string } | { status: 'unknown' };

/** A payment processor, as far as payments need one. A method that rejects has told nothing. */
export interface Processor {
  /** The card behind a token; null when the processor does not know the token. */
  describeMethod(token: string): Promise<Card | null>;
  /** Has the processor forget a method; one that it does not know is forgotten already. */
  removeMethod(token: string): Promise<void>;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** What became of the charge of this payment; null when the processor never heard of it. */
  find(paymentId: string): Promise<ChargeOutcome | null>;
}

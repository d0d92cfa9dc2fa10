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

/** A method that the processor keeps for a customer. */
export interface AttachedMethod extends Card {
  /** The processor's id, under which it is charged; it may differ from the one that was attached. */
  token: string;
}

/** The failure code of an amount that processors do not take in its currency. */
export const NOT_REPRESENTABLE = 'amount_not_representable';

/** A charge. The payment's id is the idempotency key: a repetition charges nothing more. */
export interface Charge {
  paymentId: string;
  /** The processor's id of the payment method. */
  token: string;
  /** The processor's id of the account; null where it keeps no customers. */
  customerId: string | null;
  amountCents: number;
  currency: string;
  /** Whether the cardholder is absent, and the bank that insists on him declines it; absent: he is there. */
  offSession?: boolean;
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

/**
 * A cardholder's dispute of a charge. `open`: the bank has not decided, or only inquires; `won`: the charge stands; `lost`: the
 * processor took the amount back.
 */
export interface Dispute {
  /** The processor's id. */
  id: string;
  state: 'open' | 'won' | 'lost';
  amountCents: number;
}

/** A refund of a charge, as the processor reports it. */
export interface ReportedRefund {
  /** The processor's id. */
  id: string;
  /** Ours; null for a refund that was made there by hand. */
  refundId: string | null;
  amountCents: number;
  state: 'pending' | 'succeeded' | 'failed';
  createdAt: Date;
}

/**
 * A processor's notice that something of ours may have changed there, `aftermath`: what follows a charge, such as disputes and
 * refunds. What it is then is queried.
 */
export type Notice =
  | { kind: 'charge'; paymentId: string; hasSucceeded: boolean }
  | { kind: 'refund'; refundId: string; hasFailed: boolean }
  | { kind: 'aftermath'; paymentId: string };

/** A payment processor, as far as payments need one. A rejected promise leaves the outcome unknown. */
export interface Processor {
  /** All tokens that it knows, where these are few. */
  readonly tokens?: readonly string[];
  /** The processor's id of an account, made at the first request; null where it keeps no customers. Idempotent. */
  createCustomer(accountId: string): Promise<string | null>;
  /** Removes a customer with all methods; idempotent. */
  removeCustomer(customerId: string): Promise<void>;
  /** The secret by which its browser library keeps a method for a customer, checked by the bank; null where it has no such library. */
  setUpMethod(customerId: string | null): Promise<string | null>;
  /** The card behind a token; null when the processor does not know the token, or keeps it for another customer. */
  describeMethod(token: string, customerId: string | null): Promise<Card | null>;
  /** Keeps a method for later charges of a customer; null as for `describeMethod`, or why the card is declined. Idempotent. */
  attachMethod(token: string, customerId: string | null): Promise<AttachedMethod | { failureCode: string } | null>;
  /** Removes a method at the processor, which charges it no more; idempotent. */
  detachMethod(token: string): Promise<void>;
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
  /** The outcome of the refund with this key; null when the processor has none. Refunds nothing. */
  findRefund(request: RefundRequest): Promise<RefundOutcome | null>;
  /** All refunds of a charge, as they are now. */
  refundsOf(charge: Charge): Promise<ReportedRefund[]>;
  /** The disputes of a charge, as they are now. */
  disputesOf(charge: Charge): Promise<Dispute[]>;
}

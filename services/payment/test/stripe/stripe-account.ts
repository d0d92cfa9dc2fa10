/** How a card's charges end: `sca` first requires its cardholder; `unattachable` is declined when it is attached. */
type CardKind = 'ok' | 'declined' | 'stolen' | 'sca' | 'slow' | 'unattachable';

export type Fields = Record<string, unknown>;
type Params = Record<string, string>;

interface Stored extends Fields {
  id: string;
  metadata: Params;
}

export interface Intent extends Stored {
  amount: number;
  status: string;
  customer: string | null;
  payment_method: string | null;
  latest_charge: Fields | null;
}

interface Part extends Stored {
  payment_intent: string;
  amount: number;
  status: string;
}

/** A request that Stripe rejects: the status of the response, and its `error`. */
export class Rejected extends Error {
  constructor(
    readonly status: number,
    readonly error: Fields,
  ) {
    super(String(error.code));
  }
}

const missing = () => new Rejected(404, { type: 'invalid_request_error', code: 'resource_missing' });
const unexpected = () => new Rejected(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
const notAttached = (message: string) => new Rejected(400, { type: 'invalid_request_error', message });
const rejected = (fields: Fields) => new Rejected(400, { type: 'invalid_request_error', ...fields });

/** Currencies whose amounts have to end in 0. */
const IN_TENS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

const listOf = (data: unknown[]): Fields => ({ object: 'list', data, has_more: false });

const metadataIn = (fields: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );

const DECLINE_CODES = { declined: 'insufficient_funds', stolen: 'stolen_card', unattachable: 'insufficient_funds' };

/** The objects of an account at Stripe, as much of them as payments use, and what requests do to them. */
export class StripeAccount {
  readonly intents = new Map<string, Intent>();
  readonly refunds: Part[] = [];
  readonly disputes: Part[] = [];
  readonly customers = new Map<string, Stored & { deleted?: boolean }>();
  /** Status of the next refunds. */
  refundStatus = 'succeeded';
  private readonly cards = new Map<string, { kind: CardKind; customer: string | null; isDetached: boolean }>();
  /** Customers of SetupIntents by their client secrets. */
  private readonly setups = new Map<string, string>();
  private ids = 0;

  /** A new card that is attached to no customer. */
  card(kind: CardKind = 'ok'): string {
    const token = this.newId('pm');
    this.cards.set(token, { kind, customer: null, isDetached: false });
    return token;
  }

  customerOf(token: string): string | null {
    return this.cards.get(token)!.customer;
  }

  /** The cardholder types a card into Stripe's fields, and the bank checks it: it is then attached to the customer of the SetupIntent. */
  confirmSetup(clientSecret: string, kind: CardKind = 'ok'): string {
    const token = this.card(kind);
    this.cards.get(token)!.customer = this.setups.get(clientSecret)!;
    return token;
  }

  intentsOf(paymentId: string): Intent[] {
    return [...this.intents.values()].filter(({ metadata }) => metadata.payment_id === paymentId);
  }

  /** What the cardholder, the bank or time does to a PaymentIntent. */
  become(intent: Intent, status: string, error: Fields | null = null): void {
    Object.assign(intent, { status, last_payment_error: error, next_action: null });
  }

  dispute(intent: Intent, status = 'needs_response'): Part {
    const { id, amount, currency } = intent;
    const dispute = {
      id: this.newId('du'),
      payment_intent: id,
      amount,
      currency: String(currency),
      status,
      metadata: {},
    };
    this.disputes.push(dispute);
    return dispute;
  }

  /** Refunds a part of a charge in Stripe's dashboard. */
  refundByHand({ id }: Intent, amount: number): Part {
    return this.makeRefund({ payment_intent: id, amount: String(amount) });
  }

  newId(prefix: string): string {
    return `${prefix}_${String(++this.ids).padStart(14, '0')}`;
  }

  /** Carries out `METHOD /v1/path`; throws Rejected. */
  carryOut(name: string, fields: Params): Fields {
    const [method, path] = name.split(' ') as [string, string];
    const [, , resource, id, action] = path.split('/');
    const routes: Record<string, () => Fields> = {
      'POST customers': () => this.makeCustomer(fields),
      'DELETE customers :id': () => this.removeCustomer(id!),
      'POST setup_intents': () => this.makeSetup(fields.customer!),
      'GET payment_methods :id': () => this.method(id!),
      'POST payment_methods :id attach': () => this.attach(id!, fields.customer!),
      'POST payment_methods :id detach': () => this.detach(id!),
      'POST payment_intents': () => this.makeIntent(fields),
      'GET payment_intents': () =>
        listOf([...this.intents.values()].filter(({ customer }) => customer === fields.customer).reverse()),
      'GET payment_intents :id': () => this.intent(id!),
      'POST payment_intents :id confirm': () => this.confirm(this.intent(id!), fields),
      'POST payment_intents :id capture': () => this.move(this.intent(id!), ['requires_capture'], 'succeeded'),
      'POST payment_intents :id cancel': () => this.cancel(this.intent(id!)),
      'POST refunds': () => this.makeRefund(fields),
      'GET refunds': () => listOf(this.refunds.filter((each) => each.payment_intent === fields.payment_intent)),
      'GET disputes': () => listOf(this.disputes.filter((each) => each.payment_intent === fields.payment_intent)),
    };
    const route = routes[[method, resource, id && ':id', action].filter(Boolean).join(' ')];
    if (!route) throw new Error(`This fake has no ${name}.`);
    return route();
  }

  private makeCustomer(fields: Params): Fields {
    const customer = { id: this.newId('cus'), object: 'customer', metadata: metadataIn(fields) };
    this.customers.set(customer.id, customer);
    return customer;
  }

  private makeSetup(customer: string): Fields {
    if (!this.customers.has(customer)) throw missing();
    const id = this.newId('seti');
    const client_secret = `${id}_secret`;
    this.setups.set(client_secret, customer);
    return { id, object: 'setup_intent', status: 'requires_payment_method', customer, client_secret };
  }

  private removeCustomer(id: string): Fields {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted) throw missing();
    for (const card of this.cards.values())
      if (card.customer === id) Object.assign(card, { customer: null, isDetached: true });
    return Object.assign(customer, { deleted: true });
  }

  private method(id: string): Fields {
    const card = this.cards.get(id);
    if (!card) throw missing();
    const details = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031 };
    return { id, object: 'payment_method', type: 'card', customer: card.customer, card: details };
  }

  private attach(id: string, customer: string): Fields {
    this.method(id);
    const card = this.cards.get(id)!;
    if (card.customer !== null || card.isDetached) throw notAttached('It has already been attached.');
    if (card.kind === 'unattachable')
      throw new Rejected(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' });
    card.customer = customer;
    return this.method(id);
  }

  private detach(id: string): Fields {
    this.method(id);
    const card = this.cards.get(id)!;
    if (card.customer === null) throw notAttached('It is not attached.');
    Object.assign(card, { customer: null, isDetached: true });
    return this.method(id);
  }

  private makeIntent(fields: Params): Intent {
    if (!(Number(fields.amount) > 0))
      throw new Rejected(400, { type: 'invalid_request_error', code: 'amount_too_small' });
    if (IN_TENS.has(fields.currency!) && Number(fields.amount) % 10 !== 0) throw rejected({ param: 'amount' });
    const intent: Intent = {
      id: this.newId('pi'),
      object: 'payment_intent',
      amount: Number(fields.amount),
      currency: fields.currency,
      status: 'requires_confirmation',
      customer: fields.customer ?? null,
      payment_method: fields.payment_method ?? null,
      capture_method: fields.capture_method,
      metadata: metadataIn(fields),
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      client_secret: 'pi_secret',
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  private intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (!intent) throw missing();
    return intent;
  }

  private confirm(intent: Intent, { payment_method: method, off_session: offSession }: Params): Intent {
    if (intent.status !== 'requires_confirmation' && intent.status !== 'requires_payment_method') throw unexpected();
    intent.payment_method = method ?? intent.payment_method;
    const card = this.cards.get(intent.payment_method!);
    if (!card || card.customer !== intent.customer)
      throw new Rejected(400, { type: 'invalid_request_error', code: 'payment_method_not_available' });
    if (card.kind === 'slow') return Object.assign(intent, { status: 'processing' });
    if (card.kind === 'sca' && offSession !== 'true') {
      const action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
      return Object.assign(intent, { status: 'requires_action', next_action: action, last_payment_error: null });
    }
    if (card.kind === 'ok') {
      const charge = { id: this.newId('ch'), status: 'succeeded' };
      const status = intent.capture_method === 'manual' ? 'requires_capture' : 'succeeded';
      return Object.assign(intent, { status, latest_charge: charge });
    }
    const { kind } = card;
    const declineCode = kind === 'sca' ? 'authentication_required' : DECLINE_CODES[kind];
    const code = card.kind === 'sca' ? 'authentication_required' : 'card_declined';
    const error = { type: 'card_error', code, decline_code: declineCode };
    const charge = { id: this.newId('ch'), status: 'failed', failure_code: code, outcome: { reason: declineCode } };
    const failed = { status: 'requires_payment_method', payment_method: null, last_payment_error: error };
    Object.assign(intent, failed, { latest_charge: charge });
    throw new Rejected(402, error);
  }

  private cancel(intent: Intent): Intent {
    intent.last_payment_error = null;
    const cancelable = ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action'];
    return this.move(intent, cancelable, 'canceled');
  }

  private move(intent: Intent, from: string[], to: string): Intent {
    if (!from.includes(intent.status)) throw unexpected();
    return Object.assign(intent, { status: to });
  }

  private makeRefund(fields: Params): Part {
    const { payment_intent: id = '', amount = '0' } = fields;
    const isOf = (each: Part) => each.payment_intent === id;
    const made = this.refunds.filter((each) => isOf(each) && each.status !== 'failed');
    const left = made.reduce((rest, each) => rest - each.amount, this.intent(id).amount);
    // Inquiries, whose states begin with `warning_`, do not keep a charge from being refunded.
    const isDisputed = this.disputes.some((each) => isOf(each) && !/^warning_|^won$/.test(each.status));
    if (isDisputed) throw rejected({ code: 'charge_disputed' });
    if (left === 0) throw rejected({ code: 'charge_already_refunded' });
    if (Number(amount) > left) throw rejected({ param: 'amount' });
    const refund = {
      id: this.newId('re'),
      payment_intent: id,
      created: Math.floor(Date.now() / 1_000),
      currency: this.intent(id).currency,
      amount: Number(amount),
      status: this.refundStatus,
      metadata: metadataIn(fields),
    };
    this.refunds.push(refund);
    return refund;
  }
}

import { newId } from '@swim/platform';
import type { Collection, Db } from 'mongodb';
import { newEvent, type Stored } from './floor-documents.ts';
import type { FloorOutbox } from './floor-outbox.ts';

const LEASE_MS = 12_000;

/** A body of POST /v1/payments. */
export interface PaymentBody {
  booking_id: string;
  payment_method_id: string;
  amount_cents: number;
  currency: string;
}

/** The request that pays. */
interface Request {
  requestId: string;
  /** Its Idempotency-Key. */
  key: string;
}

const soon = () => new Date(Date.now() + LEASE_MS);

/** Makes payments as our services do, command for command, but in one process and with the driver alone. */
export class FloorPayments {
  readonly #db: Db;
  readonly #outbox: FloorOutbox;

  constructor(db: Db, outbox: FloorOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  /** @returns the payment as the API answers it; null when it cannot be made. */
  async pay(body: PaymentBody, accountId: string, request: Request): Promise<object | null> {
    const id = newId('pay');
    const record = { _id: request.key, state: 'running', resourceId: id, attempt: 1, leaseUntil: soon() };
    await this.#of('idempotency').insertOne({ ...record, createdAt: new Date() });
    const wallet = await this.#of('wallets').findOne({ _id: accountId, readers: accountId });
    const method = wallet?.methods.find((each: { id: string }) => each.id === body.payment_method_id);
    if (!method) return null;
    const payment = paymentOf(id, body, { accountId, token: method.token, request });
    await this.#of('payments').insertOne(payment);
    const booking = await this.#reserve(payment);
    if (!booking) return null;
    const readers = [...new Set([accountId, booking.schoolId as string])];
    await this.#move(id, 1, { readers, schoolId: booking.schoolId, step: 'charge' });
    await this.#charge(payment);
    const json = paymentJson(payment);
    const outbox = [newEvent('payment.succeeded', readers, id, json)];
    const succeeded = { status: 'succeeded', step: 'settle', relayAt: soon(), eventCount: 1, updatedAt: new Date() };
    await this.#move(id, 2, succeeded, { outbox: { $each: outbox } });
    await this.#settle(payment);
    await this.#move(id, 3, { step: 'done', nextAt: null });
    const done = { state: 'done', status: 201, body: JSON.stringify(json), leaseUntil: null };
    await this.#of('idempotency').updateOne({ _id: request.key, attempt: 1 }, { $set: done });
    this.#outbox.goOn(() => this.#outbox.publish({ events: outbox, payments: id }));
    return json;
  }

  #of(name: string): Collection<Stored> {
    return this.#db.collection<Stored>(name);
  }

  async #move(_id: string, rev: number, set: object, push: object = {}) {
    const update = { $set: { nextAt: soon(), ...set, rev: rev + 1 }, ...(Object.keys(push).length && { $push: push }) };
    await this.#of('payments').updateOne({ _id, rev }, update as never);
  }

  /** Reserves the amount in the booking, if as much is due. */
  async #reserve({ _id: id, bookingId, amountCents }: FloorPayment) {
    const booking = await this.#of('bookings').findOne({ _id: bookingId });
    if (!booking || booking.payments.length > 0 || amountCents > booking.amountCents) return null;
    const entry = { id, amountCents, dueCents: booking.amountCents, at: new Date().toISOString(), state: 'reserved' };
    await this.#change(booking, { payments: [entry], movements: [] });
    return booking;
  }

  async #charge({ _id, token, amountCents, currency }: FloorPayment) {
    const now = new Date();
    const decided = { state: 'succeeded', failureCode: null, settlesAs: 'succeeded', settlesAt: now, createdAt: now };
    await this.#of('processor_charges').insertOne({ _id, token, amountCents, currency, ...decided });
  }

  async #settle({ _id: id, bookingId, amountCents }: FloorPayment) {
    const booking = (await this.#of('bookings').findOne({ _id: bookingId }))!;
    const at = new Date().toISOString();
    const payments = booking.payments.map((entry: object) => ({ ...entry, state: 'succeeded' }));
    const movements = [{ kind: 'charge', amountCents, at, of: id }];
    await this.#change(booking, { payments, movements, version: booking.version + 1 });
  }

  async #change({ _id, rev }: Stored, set: object) {
    await this.#of('bookings').updateOne({ _id, rev }, { $set: { ...set, rev: rev + 1, updatedAt: new Date() } });
  }
}

type FloorPayment = ReturnType<typeof paymentOf>;

function paymentOf(
  id: string,
  { booking_id, payment_method_id, amount_cents, currency }: PaymentBody,
  { accountId, token, request }: { accountId: string; token: string; request: Request },
) {
  const now = new Date();
  const { requestId, key: idempotencyKey } = request;
  return {
    _id: id,
    readers: [] as string[],
    origin: { accountId, kind: 'family', keyId: 'bench', requestId, idempotencyKey },
    bookingId: booking_id,
    methodId: payment_method_id,
    token,
    customerId: null,
    capture: true,
    amountCents: amount_cents,
    refundedCents: 0,
    currency,
    reference: null,
    nextAction: null,
    status: 'pending',
    failureCode: null,
    step: 'reserve',
    attempt: 1,
    nextAt: soon(),
    rejection: null,
    rev: 1,
    eventCount: 0,
    outbox: [] as object[],
    ops: [],
    createdAt: now,
    updatedAt: now,
  };
}

const paymentJson = (payment: FloorPayment) => ({
  object: 'payment',
  id: payment._id,
  account_id: payment.origin.accountId,
  booking_id: payment.bookingId,
  payment_method_id: payment.methodId,
  amount_cents: payment.amountCents,
  refunded_cents: 0,
  currency: payment.currency,
  status: 'succeeded',
  failure_code: null,
  disputed: false,
  next_action: null,
  metadata: {},
  created_at: payment.createdAt.toISOString(),
  updated_at: new Date().toISOString(),
});

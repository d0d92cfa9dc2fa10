import { Inject, Injectable } from '@nestjs/common';
import {
  type Environment,
  type listPayments,
  type Page,
  type ParsedOf,
  paymentFailed,
  paymentSucceeded,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AggregateRepository, asSystem, Databases, type Managed, type NewEvent, OutboxRelay } from '@swim/mongo';
import { CursorCodec } from '@swim/platform';
import type { ChargeOutcome } from '../processor/processors.service.js';
import { toPayment } from './payment.mapper.js';
import { delayMsAfter, moveOf, type News } from './payment.rules.js';
import { PAYMENT_LEASE_MS, type PaymentDocument, paymentSchema } from './payment.schema.js';

/** What a payment starts from. */
export type NewPayment = Pick<
  PaymentDocument,
  '_id' | 'origin' | 'bookingId' | 'methodId' | 'token' | 'amountCents' | 'currency'
>;

type Changes = Partial<Omit<PaymentDocument, Managed | '_id'>>;
type Events = NewEvent<PaymentDocument>[];

/** What is certain about a charge. */
export type KnownOutcome = Exclude<ChargeOutcome, { status: 'unknown' }>;

const scopeOf = (env: Environment) => asSystem(env, 'work under way is hidden from its readers-to-be');

/**
 * Memory of payments. Every write is conditional on `rev`, which a take-over moves on: who was overtaken writes nothing
 * and is answered null.
 */
@Injectable()
export class PaymentsRepository extends AggregateRepository<PaymentDocument> {
  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    @Inject(PAYMENT_LEASE_MS) private readonly leaseMs: number,
  ) {
    super(databases.collection('payments', paymentSchema), relay);
  }

  /** Stores a payment as pending; an earlier run's is answered as it stands. */
  insertPending(call: Call, payment: NewPayment): Promise<PaymentDocument> {
    return this.create(call, {
      ...payment,
      readers: [],
      refundedCents: 0,
      status: 'pending',
      failureCode: null,
      step: 'reserve',
      attempt: 1,
      nextAt: this.databases.clock.inMs(this.leaseMs),
      refusal: null,
    });
  }

  /** A payment that the caller may see, or null. */
  findVisible(id: string, { principal }: Call): Promise<PaymentDocument | null> {
    return this.lookUp({ env: principal.env, accountId: principal.accountId }, id);
  }

  /** A payment as it stands, whoever may see it. */
  findById(env: Environment, id: string): Promise<PaymentDocument | null> {
    return this.lookUp(scopeOf(env), id);
  }

  /** Payments that the caller may see, newest first. */
  list(
    { status, booking_id: bookingId, ...asked }: ParsedOf<typeof listPayments>,
    { principal }: Call,
  ): Promise<Page<PaymentDocument>> {
    const { env, accountId } = principal;
    const filter = { ...(status ? { status } : {}), ...(bookingId ? { bookingId } : {}) };
    const bound = { list: 'payment.list', accountId, env, filters: filter };
    return this.page({ env, accountId }, filter, { order: 'newest', asked, cursors: this.cursors, bound });
  }

  /** Payments whose time has come, longest overdue first. */
  findDue(env: Environment, limit: number): Promise<PaymentDocument[]> {
    return this.findMany(scopeOf(env), { nextAt: { $lt: this.databases.clock.now() } }, { nextAt: 1 }, limit);
  }

  /** Takes over work that nobody holds any more, by the database's clock; null when somebody does or it has moved on. */
  async takeOver(env: Environment, payment: PaymentDocument): Promise<PaymentDocument | null> {
    const [attempt, rev] = [payment.attempt + 1, payment.rev + 1];
    const lease = { attempt, rev, nextAt: { $add: ['$$NOW', this.leaseMs] } };
    const unchanged = { _id: payment._id, rev: payment.rev };
    const taken = await this.updateOncePast(scopeOf(env), unchanged, 'nextAt', lease);
    return taken ? { ...payment, attempt, rev } : null;
  }

  /** reserve → charge, and from here on visible to these accounts. */
  markReserved(payment: PaymentDocument, readers: string[], call: Call): Promise<PaymentDocument | null> {
    return this.move(payment, 'reserved', { readers }, call);
  }

  /** reserve → withdraw: not before nothing asked of the booking earlier can still arrive. `refusal` is JSON. */
  markRefused(payment: PaymentDocument, refusal: string, call: Call): Promise<PaymentDocument | null> {
    return this.move(payment, 'refused', { refusal, refusedAt: this.databases.clock.now() }, call);
  }

  /** charge → settle with the processor's word, told to subscribers in the same write. */
  markCharged(payment: PaymentDocument, outcome: KnownOutcome, call: Call): Promise<PaymentDocument | null> {
    const failureCode = outcome.status === 'failed' ? outcome.failureCode : null;
    const type = outcome.status === 'failed' ? paymentFailed : paymentSucceeded;
    return this.move(payment, outcome.status, { failureCode }, call, [{ type, object: toPayment }]);
  }

  /** settle or withdraw → done. */
  markSettled(payment: PaymentDocument, call: Call): Promise<PaymentDocument | null> {
    return this.move(payment, 'settled', { nextAt: null }, call);
  }

  /** Leaves it alone for a while; the recoverer comes back to it. */
  putOff(payment: PaymentDocument, call: Call): Promise<PaymentDocument | null> {
    return this.commit(payment, { set: { nextAt: this.databases.clock.inMs(delayMsAfter(payment.attempt)) } }, call);
  }

  /** Forgets a payment for which nothing was ever set aside; false when somebody else has taken it over. */
  removeRefused(env: Environment, { _id, rev }: PaymentDocument): Promise<boolean> {
    return this.remove(scopeOf(env), { _id, rev });
  }

  private move(
    payment: PaymentDocument,
    news: News,
    changes: Changes,
    call: Call,
    events: Events = [],
  ): Promise<PaymentDocument | null> {
    const move = moveOf(payment.step, news);
    if (!move) throw new Error(`A payment at the step ${payment.step} cannot hear that it is ${news}.`);
    return this.commit(
      payment,
      { set: { nextAt: this.databases.clock.inMs(this.leaseMs), ...move, ...changes }, events },
      call,
    );
  }
}

import { Injectable } from '@nestjs/common';
import {
  createRefund,
  type ErrorBody,
  listOwnRefunds,
  listRefunds,
  type Page,
  type ParsedOf,
  type Payment,
  type Refund,
  refundForBooking,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext, systemContext, timeOfId } from '@swim/platform';
import { BookingLedger } from '../payments/booking-ledger.service.js';
import { toDispute } from '../payments/dispute.rules.js';
import { payerOf } from '../payments/payment.mapper.js';
import { type PaymentDocument, PaymentsService } from '../payments/payments.service.js';
import { originOf } from '../steps/origin.mapper.js';
import type { RefundDocument } from './refund.schema.js';
import { RefundRun } from './refund-run.service.js';
import { type NewRefund, RefundsRepository } from './refunds.repository.js';

type RefundInput = ParsedOf<typeof createRefund>;

/** Refunds that one payment may have; each is a document. */
const MOST_REFUNDS = 100;
const CHARGED: Payment['status'][] = ['succeeded', 'partially_refunded', 'refunded'];

type Answerable = Pick<
  RefundDocument,
  '_id' | 'paymentId' | 'amountCents' | 'currency' | 'reason' | 'status' | 'createdAt' | 'updatedAt'
>;

const toRefund = (document: Answerable): Refund => ({
  id: document._id,
  payment_id: document.paymentId,
  amount_cents: document.amountCents,
  currency: document.currency,
  reason: document.reason,
  status: document.status,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** The response to a request to refund; throws the error of a rejected one. */
function answerOf(refund: RefundDocument): Refund {
  if (refund.rejection !== null) throw AppError.fromBody(JSON.parse(refund.rejection) as ErrorBody);
  return toRefund(refund);
}

/** Refunds of payments: by the school, or by the booking itself. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly payments: PaymentsService,
    private readonly ledger: BookingLedger,
    private readonly run: RefundRun,
  ) {}

  /** Stores it as pending first, with the id that booking and processor get; then runs its steps as far as possible. */
  @Serve(createRefund)
  async create(input: RefundInput, context: RequestContext): Promise<Refund> {
    const payment = await this.payments.getOfSchool(input.payment_id, context);
    const id = context.newId('rfd');
    const begun = context.resumed ? await this.run.rejoin(id, 'refund', context) : null;
    if (begun) return answerOf(begun);
    await this.validate(payment);
    const refund = requested(id, payment, input, context);
    if (context.dryRun) return this.validateOnly(refund, context);
    const pending = await this.refunds.insert(context, refund);
    return answerOf(await this.run.begin(pending, 'refund', context));
  }

  @Serve(listRefunds)
  async list(input: ParsedOf<typeof listRefunds>, context: RequestContext): Promise<Page<Refund>> {
    await this.payments.get(input, context);
    const { items, pagination } = await this.refunds.listOfPayment(input, context);
    return { items: items.map(toRefund), pagination };
  }

  /** The refunds that the account sees; rejects other account ids. */
  @Serve(listOwnRefunds)
  async listOwn(
    { account_id, ...request }: ParsedOf<typeof listOwnRefunds>,
    context: RequestContext,
  ): Promise<Page<Refund>> {
    if (account_id !== context.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.refunds.listVisible(request, context);
    return { items: items.map(toRefund), pagination };
  }

  /** Removes the reasons that clients gave for the refunds of these payments. Idempotent. */
  clearReasons(paymentIds: readonly string[], context: RequestContext): Promise<void> {
    return this.refunds.clearReasons(context, paymentIds);
  }

  /** Stores a refund that the booking has counted already, and runs its steps as far as possible. */
  @Serve(refundForBooking)
  async refundForBooking(
    { bookingId, paymentId, refundId, amountCents, reason }: ParsedOf<typeof refundForBooking>,
    context: RequestContext,
  ): Promise<{ accepted: true }> {
    const payment = await this.payments.getById(paymentId);
    if (payment.bookingId !== bookingId) throw new AppError('not_found', { field: 'paymentId' });
    const input = { payment_id: paymentId, amount_cents: amountCents, reason };
    const refund = requested(refundId, payment, input, context);
    const { readers } = payment;
    const pending = await this.refunds.insert(context, { ...refund, readers, amountCents, isAutomatic: true });
    // A repeated request finds it in progress, which another run or the recoverer finishes.
    if (pending.rev === 1) await this.run.advance(pending, context);
    return { accepted: true };
  }

  /**
   * Stores that the processor's outcome of a refund may have changed, so that it is queried; false when there is no such refund.
   */
  async note(id: string, hasFailed: boolean): Promise<boolean> {
    return (await this.refunds.markNoticed(id, hasFailed, systemContext(id))) !== null;
  }

  /**
   * Queries the refunds of a payment at the processor. Those that have failed are tried again at once when there are new
   * ones, which may leave too little for them.
   */
  async follow(paymentId: string): Promise<void> {
    const context = systemContext(paymentId);
    const payment = await this.payments.getById(paymentId);
    // The processor repeats its notice.
    if (payment.status === 'pending') throw new AppError('unavailable', { retryAfterSeconds: 1 });
    if (CHARGED.includes(payment.status) && (await this.run.follow(payment)))
      await this.refunds.hasten(paymentId, context);
  }

  private async validate(payment: PaymentDocument): Promise<void> {
    const { status, step, _id } = payment;
    const dispute = toDispute(payment);
    if (dispute && dispute.status !== 'won')
      throw new AppError('payment_disputed', { field: 'payment_id', details: { status: dispute.status } });
    if (!CHARGED.includes(status)) {
      const message = `Only a payment that was charged can be refunded; this one is ${status}.`;
      throw new AppError('invalid_state', { field: 'payment_id', message, details: { status } });
    }
    // The booking does not count the refund yet.
    if (step !== 'done') throw new AppError('change_in_progress', { field: 'payment_id', retryAfterSeconds: 1 });
    if ((await this.refunds.countOf(_id, MOST_REFUNDS)) >= MOST_REFUNDS)
      throw new AppError('limit_reached', {
        field: 'payment_id',
        message: `A payment has at most ${MOST_REFUNDS} refunds.`,
        details: { maximum: MOST_REFUNDS },
      });
  }

  private async validateOnly(refund: NewRefund, context: RequestContext): Promise<Refund> {
    const { _id: refundId, paymentId, bookingId, requestedCents } = refund;
    const request = { bookingId, paymentId, refundId, amountCents: requestedCents, dryRun: true };
    const { amountCents } = await this.ledger.reserveRefund(request, context);
    const createdAt = timeOfId(refundId);
    return toRefund({ ...refund, amountCents, status: 'pending', createdAt, updatedAt: createdAt });
  }
}

function requested(
  id: string,
  payment: PaymentDocument,
  { amount_cents, reason }: Pick<RefundInput, 'amount_cents' | 'reason'>,
  context: RequestContext,
): NewRefund {
  const { _id: paymentId, bookingId, currency } = payment;
  return {
    _id: id,
    readers: [],
    origin: originOf(context),
    paymentId,
    bookingId,
    accountId: payerOf(payment),
    isAutomatic: false,
    requestedCents: amount_cents ?? null,
    amountCents: 0,
    currency,
    reason,
  };
}

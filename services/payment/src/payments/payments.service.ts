import { Inject, Injectable } from '@nestjs/common';
import {
  createPayment,
  type ErrorBody,
  getPayment,
  listPayments,
  type Page,
  type ParsedOf,
  type Payment,
  updatePayment,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { hasTimeFor, metadataChange } from '@swim/mongo';
import { AppError, LOGGER, type Logger, type RequestContext, systemContext, timeOfId } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { type Charge, Processors } from '../processor/processors.service.js';
import { originOf, resumedContext } from '../steps/origin.mapper.js';
import { BookingLedger } from './booking-ledger.service.js';
import { isDisputed, isLost } from './dispute.rules.js';
import { toPayment, toPaymentFor } from './payment.mapper.js';
import { declineReasonOf } from './payment.rules.js';
import type { NewPayment, PaymentDocument } from './payment.schema.js';
import { PaymentMetadataRepository } from './payment-metadata.repository.js';
import { chargeOf, PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

export type { PaymentDocument } from './payment.schema.js';

type PaymentInput = ParsedOf<typeof createPayment>;
type Means = Pick<NewPayment, 'methodId' | 'method' | 'isByConsent' | 'note' | 'token' | 'customerId'>;

const BATCH = 100;

const CONFIRMED_BY_FAMILY =
  'The card of payment_method_id needs its owner to confirm the payment. Ask the family to pay for the booking itself, or to set another payment_method_id of the booking.';

/** The response to a request to pay; throws the error of a rejected or declined payment. */
function answerOf(payment: PaymentDocument): Payment {
  if (payment.rejection !== null) throw AppError.fromBody(JSON.parse(payment.rejection) as ErrorBody);
  if (payment.status !== 'failed') return toPaymentFor(payment.origin.accountId, payment);
  const details = { payment_id: payment._id, decline_code: payment.failureCode };
  const reason = declineReasonOf(payment.failureCode!);
  const isForFamily = reason === 'authentication_required' && payment.isByConsent;
  const message = isForFamily ? { message: CONFIRMED_BY_FAMILY } : {};
  throw new AppError(reason, { field: 'payment_method_id', details, ...message });
}

/** Makes and reads payments. The order of the steps minimises what a crash can lose. */
@Injectable()
export class PaymentsService {
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(PaymentMetadataRepository) private readonly metadata!: PaymentMetadataRepository;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly methods: MethodsService,
    private readonly processors: Processors,
    private readonly ledger: BookingLedger,
    private readonly run: PaymentRun,
  ) {}

  /** Stores it as pending first, with the id that booking and processor get; then runs its steps as far as possible. */
  @Serve(createPayment)
  async create(input: PaymentInput, requesting: RequestContext): Promise<Payment> {
    const { payment_method_id: methodId, method } = input;
    // Money that a school got elsewhere concerns no processor.
    if (!method) this.processors.current();
    const context = methodId ? await this.methods.asOwner(methodId, requesting) : requesting;
    const id = context.newId('pay');
    const begun = context.resumed ? await this.run.rejoin(id, 'charge', context) : null;
    if (begun) return answerOf(begun);
    const payment = await this.describe(id, input, context);
    if (context.dryRun) return this.validateOnly(payment, context);
    const pending = await this.payments.insertPending(context, payment);
    return answerOf(await this.run.begin(pending, 'charge', context));
  }

  @Serve(getPayment)
  async get({ payment_id: id }: ParsedOf<typeof getPayment>, context: RequestContext): Promise<Payment> {
    const payment = await this.payments.findVisible(id, context);
    if (!payment) throw new AppError('resource_not_found', { field: 'payment_id' });
    return toPaymentFor(context.principal.accountId, payment);
  }

  @Serve(listPayments)
  async list(input: ParsedOf<typeof listPayments>, context: RequestContext): Promise<Page<Payment>> {
    const { accountId } = context.principal;
    if ((input.account_id ?? accountId) !== accountId) throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.payments.list(input, context);
    return { items: items.map((payment) => toPaymentFor(accountId, payment)), pagination };
  }

  /** Changes the metadata of a payment that the account sees. */
  @Serve(updatePayment)
  async update({ payment_id: id, changes }: ParsedOf<typeof updatePayment>, context: RequestContext): Promise<Payment> {
    const metadata = changes.metadata!;
    if (!context.dryRun) return this.metadata.change(context, id, metadata);
    const payment = await this.payments.findVisible(id, context);
    if (!payment) throw new AppError('resource_not_found', { field: 'payment_id' });
    const changed = { ...payment, ...metadataChange(payment.metadata, metadata) };
    return toPaymentFor(context.principal.accountId, changed);
  }

  /** Removes what an erased account may have kept at payments; returns whether nothing is left. Idempotent. */
  async clearMetadata(context: RequestContext): Promise<boolean> {
    while (hasTimeFor(context.deadline)) if ((await this.metadata.clear(context, BATCH)) === 0) return true;
    return false;
  }

  /** Removes what clients have kept at the payments of these bookings; returns these, each with the number of its events. Idempotent. */
  clearMetadataOfBookings(
    bookingIds: readonly string[],
    context: RequestContext,
  ): ReturnType<PaymentMetadataRepository['clearOfBookings']> {
    return this.metadata.clearOfBookings(context, bookingIds);
  }

  /** A payment that the account sees as the school of its booking; `school_only` for all others who see it. */
  async getOfSchool(id: string, context: RequestContext): Promise<PaymentDocument> {
    const payment = await this.payments.findVisible(id, context);
    if (!payment) throw new AppError('resource_not_found', { field: 'payment_id' });
    if (payment.schoolId !== context.principal.accountId) throw new AppError('school_only', { field: 'payment_id' });
    return payment;
  }

  /** A payment, regardless of its readers. */
  async getById(id: string): Promise<PaymentDocument> {
    const payment = await this.payments.findById(id);
    if (!payment) throw new AppError('not_found', { field: 'paymentId' });
    return payment;
  }

  /**
   * The charge of a payment at its processor, which has none where the school recorded it, and whether its cardholder disputes it, or has
   * it back by that.
   */
  async getCharge(id: string): Promise<{ charge: Charge; isRecorded: boolean; disputed: boolean; lost: boolean }> {
    const payment = await this.getById(id);
    const isRecorded = payment.method !== undefined;
    return { charge: chargeOf(payment), isRecorded, disputed: isDisputed(payment), lost: isLost(payment) };
  }

  /**
   * Stores that the processor's outcome of a payment may have changed, so that it is queried: at once when its cardholder is to
   * act, or when it is authorised; any other payment in progress is queried soon anyway. False when there is no such payment.
   */
  async note(id: string, hasSucceeded: boolean): Promise<boolean> {
    const payment = await this.payments.markNoticed(id, systemContext(id));
    if (hasSucceeded && (payment?.status === 'failed' || payment?.status === 'voided')) {
      const { bookingId, status } = payment;
      this.logger.error({ paymentId: id, bookingId, status }, 'the processor charged a payment that has ended');
    }
    return payment !== null;
  }

  /** Queries the outcome of a payment whose cardholder has acted, as far as the deadline permits, and returns the payment as it is then. */
  async followCardholder(id: string, context: RequestContext): Promise<Payment> {
    await this.payments.markNoticed(id, systemContext(id));
    const { origin } = await this.getById(id);
    const payment = await this.run.rejoin(id, 'charge', { ...resumedContext(origin), deadline: context.deadline });
    return toPaymentFor(context.principal.accountId, payment!);
  }

  /** Counts a refund that succeeded, once; one that has failed since counts no more. */
  async countRefund(
    refund: { _id: string; paymentId: string; amountCents: number; status: string },
    context: RequestContext,
  ): Promise<void> {
    const { _id: refundId, paymentId, amountCents, status } = refund;
    await this.payments.countRefund(context, paymentId, { refundId, amountCents, counts: status === 'succeeded' });
  }

  /** Whether a payment that the account requested, or pays, is in progress. */
  hasUnfinished(accountId: string): Promise<boolean> {
    return this.payments.hasUnfinished(accountId);
  }

  private async describe(id: string, input: PaymentInput, context: RequestContext): Promise<NewPayment> {
    return {
      _id: id,
      origin: originOf(context),
      bookingId: input.booking_id,
      ...(await this.meansOf(input, context)),
      capture: input.capture,
      amountCents: input.amount_cents,
      currency: input.currency,
      ...metadataChange(undefined, input.metadata),
    };
  }

  /** The means of a payment: a method of the payer's wallet, the one that it consents to, or money that the school got elsewhere. */
  private async meansOf(input: PaymentInput, context: RequestContext): Promise<Means> {
    const { payment_method_id: methodId, method, reference } = input;
    if (method) return { methodId: null, method, note: reference ?? null, token: '', customerId: null };
    if (methodId) return { methodId, ...(await this.methods.getOwnMethod(methodId, context)) };
    if (context.principal.kind !== 'school') throw noMethod();
    return { methodId: null, isByConsent: true, token: '', customerId: null };
  }

  private async validateOnly(payment: NewPayment, context: RequestContext): Promise<Payment> {
    await this.ledger.reserve(payment, context, true);
    const unsaved = {
      ...payment,
      status: 'pending',
      refundedCents: 0,
      failureCode: null,
      createdAt: timeOfId(payment._id),
      updatedAt: timeOfId(payment._id),
    };
    return toPayment(unsaved as PaymentDocument);
  }
}

const noMethod = () =>
  new AppError('required', {
    field: 'payment_method_id',
    message: 'payment_method_id is required: send the payment method to charge.',
  });

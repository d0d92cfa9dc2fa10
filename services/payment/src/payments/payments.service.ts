import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { createPayment, ErrorBody, listPayments, Page, ParsedOf, Payment } from '@swim/contracts';
import { AppError, type RequestContext, timeOfId } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import { toPayment } from './payment.mapper.js';
import { declineReasonOf } from './payment.rules.js';
import type { Origin, PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { type NewPayment, PaymentsRepository } from './payments.repository.js';

type PaymentInput = ParsedOf<typeof createPayment>;

const POLL_MS = 50;
/** Reserved for the response before the deadline, in ms. */
const MARGIN_MS = 1_000;

const originOf = ({ principal, requestId, idempotencyKey, traceparent }: RequestContext): Origin => ({
  accountId: principal.accountId,
  kind: principal.kind,
  keyId: principal.keyId,
  requestId,
  idempotencyKey,
  ...(traceparent === null ? {} : { traceparent }),
});

/** The response to a request to pay; throws the error of a rejected or declined payment. */
function answerOf(payment: PaymentDocument): Payment {
  if (payment.refusal !== null) throw AppError.fromBody(JSON.parse(payment.refusal) as ErrorBody);
  if (payment.status !== 'failed') return toPayment(payment);
  const details = { payment_id: payment._id, decline_code: payment.failureCode };
  throw new AppError(declineReasonOf(payment.failureCode!), { field: 'payment_method_id', details });
}

/** Makes and reads payments. The order of the steps minimises what a crash can lose. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly methods: MethodsService,
    private readonly processors: Processors,
    private readonly ledger: BookingLedger,
    private readonly run: PaymentRun,
  ) {}

  /** Stores it as pending first, with the id that booking and processor get; then runs its steps as far as possible. */
  async create(input: PaymentInput, context: RequestContext): Promise<Payment> {
    this.processors.of(context.principal.env);
    const id = context.newId('pay');
    const begun = context.resumed ? await this.rejoin(id, context) : null;
    if (begun) return answerOf(begun);
    const payment = await this.describe(id, input, context);
    if (context.dryRun) return this.validateOnly(payment, context);
    const pending = await this.payments.insertPending(context, payment);
    return answerOf(await this.run.advance(pending, context));
  }

  async get(id: string, context: RequestContext): Promise<Payment> {
    const payment = await this.payments.findVisible(id, context);
    if (!payment) throw new AppError('resource_not_found', { field: 'payment_id' });
    return toPayment(payment);
  }

  async list(input: ParsedOf<typeof listPayments>, context: RequestContext): Promise<Page<Payment>> {
    if (input.account_id !== context.principal.accountId)
      throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.payments.list(input, context);
    return { items: items.map(toPayment), pagination };
  }

  private async describe(id: string, input: PaymentInput, context: RequestContext): Promise<NewPayment> {
    const { token } = await this.methods.getOwnMethod(input.payment_method_id, context);
    return {
      _id: id,
      origin: originOf(context),
      bookingId: input.booking_id,
      methodId: input.payment_method_id,
      token,
      amountCents: input.amount_cents,
      currency: input.currency,
    };
  }

  private async validateOnly(payment: NewPayment, context: RequestContext): Promise<Payment> {
    await this.ledger.reserve(payment, context, true);
    const unsaved = {
      ...payment,
      status: 'pending',
      refundedCents: 0,
      failureCode: null,
      createdAt: timeOfId(payment._id),
    };
    return toPayment(unsaved as PaymentDocument);
  }

  /**
   * Resumes an earlier run of the same request: takes it over once its lease has ended, and waits while it has not. Null when
   * there is nothing to resume.
   */
  private async rejoin(id: string, context: RequestContext): Promise<PaymentDocument | null> {
    const { env } = context.principal;
    for (;;) {
      const now = await this.payments.findById(env, id);
      if (now?.status !== 'pending' || now.refusal !== null) return now;
      const taken = await this.payments.takeOver(env, now);
      if (taken) return this.run.advance(taken, context);
      if (context.deadline.remainingMs() > MARGIN_MS) await pause(POLL_MS);
      else if (now.step === 'charge') return now;
      else throw new AppError('unavailable', { retryAfterSeconds: 1 });
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { capturePayment, type ParsedOf, type Payment, type Reason, voidForBooking, voidPayment } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, invalidState, isOwnWork, type RequestContext } from '@swim/platform';
import { originOf } from '../steps/origin.mapper.js';
import { toPayment } from './payment.mapper.js';
import { captureOrVoidRejection } from './payment.rules.js';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';

type What = 'capture' | 'void';

const TRIES = 5;
const RELEASED_AT_ONCE = 16;
const POLL_MS = 50;
/** Reserved for the response before the deadline, in ms. */
const MARGIN_MS = 1_000;

/** Captures and voids authorised payments. What is requested is stored before the processor is. */
@Injectable()
export class EndingsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly reader: PaymentsService,
    private readonly run: PaymentRun,
  ) {}

  /** Charges an authorised payment. */
  @Serve(capturePayment)
  async capture({ payment_id: id }: ParsedOf<typeof capturePayment>, context: RequestContext): Promise<Payment> {
    return this.end(id, 'capture', context);
  }

  /** Releases an authorised payment. */
  @Serve(voidPayment)
  async void({ payment_id: id }: ParsedOf<typeof voidPayment>, context: RequestContext): Promise<Payment> {
    return this.end(id, 'void', context);
  }

  /** Releases the authorisation of a booking that has ended; a payment in any other state stays as it is. */
  @Serve(voidForBooking)
  async voidForBooking(
    { bookingId, paymentId }: ParsedOf<typeof voidForBooking>,
    context: RequestContext,
  ): Promise<{ accepted: true }> {
    const payment = await this.payments.findById(paymentId);
    if (payment?.bookingId !== bookingId) throw new AppError('not_found', { field: 'paymentId' });
    const rejection = captureOrVoidRejection(payment);
    if (rejection === 'change_in_progress' && payment.step === 'capture') throw new AppError(rejection);
    // The outcome of one in progress is not known: the booking asks again once it is settled.
    if (payment.status === 'pending') throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    if (rejection === null) await this.begin(payment, 'void', context);
    return { accepted: true };
  }

  /**
   * Releases the authorised payments of an account, payer or school, or those made before an instant, and has none wait for its
   * cardholder; returns whether there were none.
   */
  async releaseAll(accountId: string, context: RequestContext, before?: Date): Promise<boolean> {
    const authorized = await this.payments.findAuthorized(accountId, RELEASED_AT_ONCE, before);
    const waiting = await this.payments.findWaiting(accountId, RELEASED_AT_ONCE, before);
    await Promise.all([
      ...authorized.map((payment) => this.begin(payment, 'void', context)),
      ...waiting.map(({ _id }) => this.payments.giveUp(_id)),
    ]);
    return authorized.length + waiting.length === 0;
  }

  private async end(id: string, what: What, context: RequestContext): Promise<Payment> {
    const payment = await this.reader.getOfSchool(id, context);
    const { ending } = payment;
    if (ending && isOwnWork(context, ending)) return this.answer(await this.rejoin(payment, context), what);
    const rejection = captureOrVoidRejection(payment);
    if (rejection) throw rejectionOf(rejection, payment, what);
    if (context.dryRun) return toPayment({ ...payment, status: what === 'capture' ? 'succeeded' : 'voided' });
    return this.answer(await this.begin(payment, what, context), what);
  }

  /** Stores what is to be done, then does it as far as possible. */
  private async begin(payment: PaymentDocument, what: What, context: RequestContext): Promise<PaymentDocument> {
    const result = what === 'capture' ? 'capturing' : 'voiding';
    const ending = { opId: context.opId, opSeed: context.opSeed, origin: originOf(context) };
    let now = payment;
    for (let tries = 0; tries < TRIES; tries++) {
      const begun = await this.payments.markEnding(now, result, ending, context);
      if (begun) return this.run.advance(begun, context);
      // It was settled meanwhile, or another request came first.
      now = (await this.payments.findById(payment._id))!;
      const rejection = captureOrVoidRejection(now);
      if (rejection) throw rejectionOf(rejection, now, what);
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  /** Resumes an earlier run of the same request, once its lease has ended. */
  private async rejoin(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument> {
    for (let now = payment; ; now = (await this.payments.findById(payment._id))!) {
      if (now.status !== 'authorized') return now;
      const taken = await this.payments.unfinished.take(now);
      if (taken) return this.run.advance(taken, context);
      if (context.deadline.remainingMs() < MARGIN_MS) return now;
      await pause(POLL_MS);
    }
  }

  /** What was requested, or still `authorized` while the processor has not answered; the opposite is a rejection. */
  private answer(payment: PaymentDocument, what: What): Payment {
    const isOpposite = payment.status === (what === 'capture' ? 'voided' : 'succeeded');
    if (!isOpposite) return toPayment(payment);
    const ended =
      what === 'capture' ? 'The authorisation has ended at the processor' : 'The payment is captured already';
    const message = `${ended}: the payment is ${payment.status}.`;
    throw new AppError('invalid_state', { field: 'payment_id', message, details: { status: payment.status } });
  }
}

function rejectionOf(reason: Reason, { status }: PaymentDocument, what: What): AppError {
  if (reason !== 'invalid_state') return new AppError(reason, { field: 'payment_id', details: { status } });
  const done = what === 'capture' ? 'captured' : 'voided';
  return invalidState(`Only an authorized payment can be ${done}`, status, 'payment_id');
}

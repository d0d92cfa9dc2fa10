import { Inject, Injectable } from '@nestjs/common';
import { AppError, CONFIG, Deadline, isServerFault, LOGGER, type Logger, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { type ChargeOutcome, Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentsRepository } from './payments.repository.js';

const MOST_SETTLING_MS = 3_000;
/** Reserved for storing a result before the deadline, in ms. */
const MARGIN_MS = 500;

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${limitMs} ms.`)), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

// Without a booking, no late reservation can reserve anything either.
const isNoBooking = (error: unknown): boolean =>
  error instanceof AppError && error.reason === 'not_found' && error.details.field === 'bookingId';

const sooner = (context: RequestContext, mostMs: number): number =>
  Math.max(Math.min(mostMs, context.deadline.remainingMs() - MARGIN_MS), 1);

/**
 * Runs the steps of a payment: the booking reserves the money, the processor charges it, the booking settles it. Any process
 * may repeat a step; its result is stored before the next one begins. A step with an unknown outcome stays pending and is
 * retried.
 */
@Injectable()
export class PaymentRun {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly ledger: BookingLedger,
    private readonly processors: Processors,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Continues from the current step as far as possible, and returns the payment as it is then. Throws the booking's rejection,
   * or the error of the request to it.
   */
  async advance(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument> {
    let now = payment;
    for (;;) {
      const after = await this.takeStep(now, context);
      if (after === 'superseded') return (await this.payments.findById(context.principal.env, payment._id)) ?? now;
      if (after === 'later') return now;
      now = after;
      if (now.step === 'withdraw') return now;
    }
  }

  private async takeStep(
    payment: PaymentDocument,
    context: RequestContext,
  ): Promise<PaymentDocument | 'superseded' | 'later'> {
    switch (payment.step) {
      case 'reserve':
        return (await this.reserve(payment, context)) ?? 'superseded';
      case 'charge':
        return this.charge(payment, context);
      case 'settle':
      case 'withdraw':
        return this.settle(payment, context);
      case 'done':
        return 'later';
    }
  }

  private async reserve(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    try {
      const readers = await this.ledger.reserve(payment, context);
      return await this.payments.markReserved(payment, [...new Set([payment.origin.accountId, ...readers])], context);
    } catch (error) {
      if (!isServerFault(error)) return this.reject(payment, error as AppError, context);
      await this.payments.putOff(payment, context);
      throw error;
    }
  }

  private async reject(
    payment: PaymentDocument,
    rejection: AppError,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    // A request of an earlier attempt may still reach the booking: until it cannot, the rejected payment must stay stored.
    if (payment.attempt > 1) return this.payments.markRejected(payment, JSON.stringify(rejection.toBody()), context);
    if (!(await this.payments.removeRejected(context.principal.env, payment))) return null;
    throw rejection;
  }

  private async charge(
    payment: PaymentDocument,
    context: RequestContext,
  ): Promise<PaymentDocument | 'superseded' | 'later'> {
    const outcome = await this.outcomeOf(payment, context);
    if (outcome.status !== 'unknown')
      return (await this.payments.markCharged(payment, outcome, context)) ?? 'superseded';
    return (await this.payments.putOff(payment, context)) ? 'later' : 'superseded';
  }

  private async outcomeOf(payment: PaymentDocument, context: RequestContext): Promise<ChargeOutcome> {
    try {
      return await within(this.queryProcessor(payment, context), sooner(context, this.config.PROCESSOR_TIMEOUT_MS));
    } catch (error) {
      this.logger.warn(
        { err: error, paymentId: payment._id, attempt: payment.attempt },
        'no response from the processor',
      );
      return { status: 'unknown' };
    }
  }

  private async queryProcessor(
    { _id, attempt, token, amountCents, currency }: PaymentDocument,
    context: RequestContext,
  ): Promise<ChargeOutcome> {
    const processor = this.processors.of(context.principal.env);
    const known = attempt > 1 ? await processor.find(_id) : null;
    return known ?? processor.charge({ paymentId: _id, token, amountCents, currency });
  }

  private async settle(
    payment: PaymentDocument,
    context: RequestContext,
  ): Promise<PaymentDocument | 'superseded' | 'later'> {
    const outcome = payment.status === 'succeeded' ? 'succeeded' : 'failed';
    try {
      await this.ledger.settle(payment, outcome, {
        ...context,
        deadline: new Deadline(sooner(context, MOST_SETTLING_MS)),
      });
    } catch (error) {
      if (!(payment.step === 'withdraw' && isNoBooking(error))) return this.settleLater(payment, error, context);
    }
    return (await this.payments.markSettled(payment, context)) ?? 'superseded';
  }

  private async settleLater(
    payment: PaymentDocument,
    error: unknown,
    context: RequestContext,
  ): Promise<'superseded' | 'later'> {
    const { _id: paymentId, bookingId, attempt, step } = payment;
    const fields = { err: error, paymentId, bookingId, attempt, step };
    if (isServerFault(error)) this.logger.warn(fields, 'payment not settled with its booking yet');
    else this.logger.error(fields, 'booking rejects the outcome of its payment');
    return (await this.payments.putOff(payment, context)) ? 'later' : 'superseded';
  }
}

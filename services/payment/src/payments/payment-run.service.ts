import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  CONFIG,
  Deadline,
  isServerFault,
  LOGGER,
  type Logger,
  type RequestContext,
  within,
} from '@swim/platform';
import type { Config } from '../config.js';
import { type Charge, type ChargeOutcome, Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import { settlementOf } from './payment.rules.js';
import type { PaymentDocument } from './payment.schema.js';
import { type KnownOutcome, PaymentsRepository } from './payments.repository.js';

const MOST_SETTLING_MS = 3_000;
/** Reserved for storing a result before the deadline, in ms. */
const MARGIN_MS = 500;

/** How long a payment waits for its cardholder (contract, Payments). */
const CARDHOLDER_MS = 15 * 60_000;

const UNKNOWN: ChargeOutcome = { status: 'unknown' };

// Without a booking, no late reservation can reserve anything either.
const isNoBooking = (error: unknown): boolean =>
  error instanceof AppError && error.reason === 'not_found' && error.details.field === 'bookingId';

/** The charge of a payment at its processor. */
export const chargeOf = (payment: PaymentDocument): Charge => ({
  paymentId: payment._id,
  token: payment.token,
  customerId: payment.customerId ?? null,
  amountCents: payment.amountCents,
  currency: payment.currency,
  capture: payment.capture ?? true,
  reference: payment.reference ?? null,
});

/** The result of a charge. One that was cancelled without an outcome has failed. */
function resultOf(outcome: KnownOutcome, { nextAction }: PaymentDocument): KnownOutcome {
  if (outcome.status !== 'voided') return outcome;
  return { ...outcome, status: 'failed', failureCode: nextAction ? 'authentication_timeout' : 'processing_timeout' };
}

const isOpen = (outcome: ChargeOutcome): outcome is Exclude<ChargeOutcome, KnownOutcome> =>
  outcome.status === 'unknown' || outcome.status === 'requires_action';

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
      if (!after) return (await this.payments.findById(context.principal.env, payment._id)) ?? now;
      if (after.step === now.step || after.step === 'withdraw' || after.step === 'done') return after;
      now = after;
    }
  }

  /** The payment after its current step, at the same step when that has no result yet; null for a superseded run. */
  private async takeStep(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    switch (payment.step) {
      case 'reserve':
        return this.reserve(payment, context);
      case 'charge':
        return this.charge(payment, context);
      case 'capture':
      case 'void':
      case 'check':
        return this.end(payment, context);
      case 'settle':
      case 'withdraw':
        return this.settle(payment, context);
      case 'done':
        return payment;
    }
  }

  private async reserve(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    try {
      const accounts = await this.ledger.reserve(payment, context);
      return await this.payments.markReserved(payment, accounts, context);
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

  private async charge(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    const outcome = await this.atProcessor(payment, context, () => this.chargeOrFind(payment, context));
    if (!isOpen(outcome)) return this.payments.markOutcome(payment, resultOf(outcome, payment), context);
    const { reference } = outcome;
    return this.payments.putOff(payment, context, {
      ...(reference === undefined ? {} : { reference }),
      ...(outcome.status === 'requires_action' ? { nextAction: outcome.nextAction } : {}),
    });
  }

  /** Captures, voids or only queries an authorised payment. */
  private async end(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    const charge = chargeOf(payment);
    const outcome = await this.atProcessor(payment, context, async () => {
      const processor = this.processors.of(context.principal.env);
      if (payment.step === 'capture') return processor.capture(charge);
      return payment.step === 'void' ? processor.cancel(charge) : ((await processor.find(charge)) ?? UNKNOWN);
    });
    if (outcome.status === 'succeeded' || outcome.status === 'voided')
      return this.payments.markOutcome(payment, { ...outcome, status: outcome.status }, context);
    if (payment.step === 'check' && outcome.status === 'authorized') return this.payments.markSettled(payment, context);
    return this.payments.putOff(payment, context);
  }

  private async atProcessor(
    { _id: paymentId, attempt, step }: PaymentDocument,
    context: RequestContext,
    work: () => Promise<ChargeOutcome>,
  ): Promise<ChargeOutcome> {
    try {
      return await within(work(), sooner(context, this.config.PROCESSOR_TIMEOUT_MS));
    } catch (error) {
      this.logger.warn({ err: error, paymentId, attempt, step }, 'no response from the processor');
      return UNKNOWN;
    }
  }

  /** From the second attempt on, requests the outcome of the earlier ones; one that takes too long is cancelled. */
  private async chargeOrFind(payment: PaymentDocument, context: RequestContext): Promise<ChargeOutcome> {
    const processor = this.processors.of(context.principal.env);
    const charge = chargeOf(payment);
    const known = payment.attempt > 1 ? await processor.find(charge) : null;
    if (known && !isOpen(known)) return known;
    const needsCardholder = known?.status === 'requires_action';
    const mostMs = needsCardholder ? CARDHOLDER_MS : this.config.PAYMENT_GIVE_UP_MS;
    if (payment.attempt > 1 && this.payments.ageMs(payment) > mostMs) return processor.cancel({ ...charge, ...known });
    return known ?? processor.charge(charge);
  }

  private async settle(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    try {
      await this.ledger.settle(payment, settlementOf(payment.status), {
        ...context,
        deadline: new Deadline(sooner(context, MOST_SETTLING_MS)),
      });
    } catch (error) {
      if (!(payment.step === 'withdraw' && isNoBooking(error))) return this.settleLater(payment, error, context);
    }
    return this.payments.markSettled(payment, context);
  }

  private settleLater(
    payment: PaymentDocument,
    error: unknown,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    const { _id: paymentId, bookingId, attempt, step } = payment;
    const fields = { err: error, paymentId, bookingId, attempt, step };
    if (isServerFault(error)) this.logger.warn(fields, 'payment not settled with its booking yet');
    else this.logger.error(fields, 'booking rejects the outcome of its payment');
    return this.payments.putOff(payment, context);
  }
}

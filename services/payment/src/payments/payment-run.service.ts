import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { AppError, CONFIG, isServerFault, LOGGER, type Logger, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { MethodsService } from '../methods/methods.service.js';
import { type Charge, type ChargeOutcome, Processors } from '../processor/processors.service.js';
import { resumedContext } from '../steps/origin.mapper.js';
import { StepRun } from '../steps/step-run.js';
import { BookingLedger } from './booking-ledger.service.js';
import { settlementOf } from './payment.rules.js';
import type { PaymentDocument } from './payment.schema.js';
import { type KnownOutcome, PaymentsRepository } from './payments.repository.js';

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
  offSession: payment.isByConsent === true,
  amountCents: payment.amountCents,
  currency: payment.currency,
  capture: payment.capture,
  reference: payment.reference ?? null,
});

/** The result of a charge. One that was cancelled without an outcome has failed. */
function resultOf(outcome: KnownOutcome, { nextAction }: PaymentDocument): KnownOutcome {
  if (outcome.status !== 'voided') return outcome;
  return { ...outcome, status: 'failed', failureCode: nextAction ? 'authentication_timeout' : 'processing_timeout' };
}

const isOpen = (outcome: ChargeOutcome): outcome is Exclude<ChargeOutcome, KnownOutcome> =>
  outcome.status === 'unknown' || outcome.status === 'requires_action';

/** Runs the steps of a payment: the booking reserves the money, the processor charges it, the booking settles it. */
@Injectable()
export class PaymentRun extends StepRun<PaymentDocument> {
  @Inject(MethodsService) private readonly methods!: MethodsService;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly ledger: BookingLedger,
    private readonly processors: Processors,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ kind: 'payment', documents: payments, logger, processorTimeoutMs: config.PROCESSOR_TIMEOUT_MS });
  }

  /** Resumes a payment whose process crashed or whose retry is due, from its current step. */
  @WhenDue(({ payments }: PaymentRun) => payments.unfinished)
  resume(payment: PaymentDocument): Promise<PaymentDocument> {
    return this.advance(payment, resumedContext(payment.ending?.origin ?? payment.origin));
  }

  protected override async takeStep(
    payment: PaymentDocument,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    switch (payment.step) {
      case 'reserve':
        return this.reserveBy(payment, context, async () => {
          const accounts = payment.isByConsent
            ? await this.reserveByConsent(payment, context)
            : await this.ledger.reserve(payment, context);
          return this.payments.markReserved(payment, accounts, context);
        });
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

  /** Marks the consented method in the payer's wallet before the money is reserved: a removal of it waits, or comes first. */
  private async reserveByConsent(payment: PaymentDocument, context: RequestContext) {
    const { accountId, methodId } = await this.ledger.reserve(payment, context, true);
    const charged = await this.methods.use({ accountId, methodId: methodId!, paymentId: payment._id });
    try {
      const accounts = await this.ledger.reserve({ ...payment, methodId: methodId! }, context);
      return { ...accounts, charged: { methodId: methodId!, ...charged } };
    } catch (error) {
      // A failure may have reserved it: the repetition decides.
      if (!isServerFault(error)) await this.methods.release(accountId, [payment._id]);
      throw error;
    }
  }

  private async charge(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    const outcome: ChargeOutcome = payment.method
      ? { status: 'succeeded' }
      : await this.atProcessor(payment, context, () => this.chargeOrFind(payment));
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
      const processor = this.processors.current();
      if (payment.step === 'capture') return processor.capture(charge);
      return payment.step === 'void' ? processor.cancel(charge) : ((await processor.find(charge)) ?? UNKNOWN);
    });
    if (outcome.status === 'succeeded' || outcome.status === 'voided')
      return this.payments.markOutcome(payment, { ...outcome, status: outcome.status }, context);
    if (payment.step === 'check' && outcome.status === 'authorized') return this.payments.markSettled(payment, context);
    return this.payments.putOff(payment, context);
  }

  /** From the second attempt on, requests the outcome of the earlier ones; one that takes too long is cancelled. */
  private async chargeOrFind(payment: PaymentDocument): Promise<ChargeOutcome> {
    const processor = this.processors.current();
    const charge = chargeOf(payment);
    const known = payment.attempt > 1 ? await processor.find(charge) : null;
    if (known && !isOpen(known)) return known;
    const needsCardholder = known?.status === 'requires_action';
    const mostMs = needsCardholder ? CARDHOLDER_MS : this.config.PAYMENT_TIMEOUT_MS;
    const isLate = payment.attempt > 1 && (payment.isGivenUp || this.payments.chargingMs(payment) > mostMs);
    if (isLate) return processor.cancel({ ...charge, ...known });
    return known ?? processor.charge(charge);
  }

  private settle(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    return this.settleBy(payment, context, async (soon) => {
      if (payment.isByConsent && payment.payerId) await this.methods.release(payment.payerId, [payment._id]);
      await this.ledger.settle(payment, settlementOf(payment.status), soon).catch((error) => {
        if (!(payment.step === 'withdraw' && isNoBooking(error))) throw error;
      });
    });
  }
}

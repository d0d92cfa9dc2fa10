import { Inject, Injectable } from '@nestjs/common';
import { type Call, LOGGER } from '@swim/messaging';
import { AppError, Deadline, isServerFault, type Logger } from '@swim/platform';
import { type ChargeOutcome, Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import type { PaymentDocument } from './payment.schema.js';
import { PaymentsRepository } from './payments.repository.js';

/** How long, in ms, the processor is waited for. */
export const PROCESSOR_TIMEOUT_MS = Symbol('processor timeout');

const MOST_SETTLING_MS = 3_000;
/** What is kept of a deadline for writing down what was learnt, in ms. */
const MARGIN_MS = 500;

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${limitMs} ms.`)), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

const sooner = (call: Call, mostMs: number): number =>
  Math.max(Math.min(mostMs, call.deadline.remainingMs() - MARGIN_MS), 1);

/**
 * Takes a payment through its steps: the booking sets the money aside, the processor takes it, the booking is told. Each
 * step may be repeated by anyone; what it brought is written before the next begins. What nobody can tell yet stays
 * pending and is asked again.
 */
@Injectable()
export class PaymentRun {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly ledger: BookingLedger,
    private readonly processors: Processors,
    @Inject(PROCESSOR_TIMEOUT_MS) private readonly processorTimeoutMs: number,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Goes on from the step at hand as far as it leads, and answers the payment as it is then. Throws the booking's
   * refusal, and what kept the booking from being asked.
   */
  async advance(payment: PaymentDocument, call: Call): Promise<PaymentDocument> {
    let now = payment;
    for (;;) {
      const after = await this.takeStep(now, call);
      if (after === 'overtaken') return (await this.payments.findById(call.principal.env, payment._id)) ?? now;
      if (after === 'later') return now;
      now = after;
      if (now.step === 'withdraw') return now;
    }
  }

  private async takeStep(payment: PaymentDocument, call: Call): Promise<PaymentDocument | 'overtaken' | 'later'> {
    switch (payment.step) {
      case 'reserve':
        return (await this.reserve(payment, call)) ?? 'overtaken';
      case 'charge':
        return this.charge(payment, call);
      case 'settle':
      case 'withdraw':
        return this.settle(payment, call);
      case 'done':
        return 'later';
    }
  }

  private async reserve(payment: PaymentDocument, call: Call): Promise<PaymentDocument | null> {
    try {
      const readers = await this.ledger.reserve(payment, call);
      return await this.payments.markReserved(payment, [...new Set([payment.origin.accountId, ...readers])], call);
    } catch (error) {
      if (!isServerFault(error)) return this.refuse(payment, error as AppError, call);
      await this.payments.putOff(payment, call);
      throw error;
    }
  }

  private async refuse(payment: PaymentDocument, refusal: AppError, call: Call): Promise<PaymentDocument | null> {
    // An earlier attempt's request may still be on its way to the booking: then the refusal has to outlive it.
    if (payment.attempt > 1) return this.payments.markRefused(payment, JSON.stringify(refusal.toBody()), call);
    if (!(await this.payments.removeRefused(call.principal.env, payment))) return null;
    throw refusal;
  }

  private async charge(payment: PaymentDocument, call: Call): Promise<PaymentDocument | 'overtaken' | 'later'> {
    const outcome = await this.outcomeOf(payment, call);
    if (outcome.status !== 'unknown') return (await this.payments.markCharged(payment, outcome, call)) ?? 'overtaken';
    return (await this.payments.putOff(payment, call)) ? 'later' : 'overtaken';
  }

  private async outcomeOf(payment: PaymentDocument, call: Call): Promise<ChargeOutcome> {
    try {
      return await within(this.askProcessor(payment, call), sooner(call, this.processorTimeoutMs));
    } catch (error) {
      this.logger.warn(
        { err: error, paymentId: payment._id, attempt: payment.attempt },
        'the processor did not answer',
      );
      return { status: 'unknown' };
    }
  }

  private async askProcessor(
    { _id, attempt, token, amountCents, currency }: PaymentDocument,
    call: Call,
  ): Promise<ChargeOutcome> {
    const processor = this.processors.of(call.principal.env);
    const known = attempt > 1 ? await processor.find(_id) : null;
    return known ?? processor.charge({ paymentId: _id, token, amountCents, currency });
  }

  private async settle(payment: PaymentDocument, call: Call): Promise<PaymentDocument | 'overtaken' | 'later'> {
    const outcome = payment.status === 'succeeded' ? 'succeeded' : 'failed';
    try {
      await this.ledger.settle(payment, outcome, { ...call, deadline: new Deadline(sooner(call, MOST_SETTLING_MS)) });
    } catch (error) {
      const nothingSetAside = payment.step === 'withdraw' && error instanceof AppError && error.reason === 'not_found';
      if (!nothingSetAside) return this.settleLater(payment, error, call);
    }
    return (await this.payments.markSettled(payment, call)) ?? 'overtaken';
  }

  private async settleLater(payment: PaymentDocument, error: unknown, call: Call): Promise<'overtaken' | 'later'> {
    const { _id: paymentId, bookingId, attempt, step } = payment;
    const fields = { err: error, paymentId, bookingId, attempt, step };
    if (isServerFault(error)) this.logger.warn(fields, 'the booking could not be told yet');
    else this.logger.error(fields, 'the booking does not take the outcome of its payment');
    return (await this.payments.putOff(payment, call)) ? 'later' : 'overtaken';
  }
}

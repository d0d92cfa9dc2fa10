import { Injectable } from '@nestjs/common';
import {
  type OutputOf,
  type ParsedOf,
  recordDispute,
  reservePayment,
  reserveRefund,
  settlePayment,
  settleRefund,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, isServerFault, type RequestContext } from '@swim/platform';
import { fieldOfReason } from './payment.rules.js';
import type { PaymentDocument } from './payment.schema.js';

/** Money that a booking is to reserve. `methodId`: by consent the method that is marked. */
export type Reservation = Pick<
  PaymentDocument,
  '_id' | 'bookingId' | 'amountCents' | 'currency' | 'method' | 'isByConsent'
> & { methodId?: string | null };

/** The accounts that may see a payment beside its payer. */
interface Readers {
  accountId: string;
  schoolId: string;
  /** The method of a charge by consent. */
  methodId?: string | undefined;
}

function toOwnWords(error: unknown, otherwise: 'booking_id' | 'payment_id'): unknown {
  if (isServerFault(error)) return error;
  const { reason, message, details } = error as AppError;
  const { field: _field, reason: _reason, errors: _errors, ...more } = details;
  const { retryAfterSeconds } = error as AppError;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError(reason, { field: fieldOfReason(reason) ?? otherwise, message, details: more, ...retry });
}

/** Client of the booking service's ledger. All requests are idempotent per payment or refund. */
@Injectable()
export class BookingLedger {
  constructor(private readonly client: RpcClient) {}

  /** Reserves money and returns the accounts that may see the payment beside its payer. Errors name the fields of a payment. */
  async reserve(requested: Reservation, context: RequestContext, dryRun = false): Promise<Readers> {
    const input = {
      bookingId: requested.bookingId,
      paymentId: requested._id,
      amountCents: requested.amountCents,
      currency: requested.currency,
      method: requested.method,
      ...(requested.isByConsent ? { byConsent: true, methodId: requested.methodId ?? undefined } : {}),
      dryRun,
    };
    return this.client.call(reservePayment, input, context).catch((error) => {
      throw toOwnWords(error, 'booking_id');
    });
  }

  /** Sends the outcome of a payment with a reservation. */
  async settle(
    { _id, bookingId }: PaymentDocument,
    outcome: 'authorized' | 'succeeded' | 'failed',
    context: RequestContext,
  ): Promise<void> {
    await this.client.call(settlePayment, { bookingId, paymentId: _id, outcome }, context);
  }

  /**
   * Reserves money of a charged payment for a refund by the school; returns its amount and what could be refunded before.
   * Errors name the fields of a refund.
   */
  async reserveRefund(
    requested: ParsedOf<typeof reserveRefund>,
    context: RequestContext,
  ): Promise<OutputOf<typeof reserveRefund>> {
    return this.client.call(reserveRefund, requested, context).catch((error) => {
      throw toOwnWords(error, 'payment_id');
    });
  }

  /** Sends the outcome of a refund. */
  async settleRefund(outcome: ParsedOf<typeof settleRefund>, context: RequestContext): Promise<void> {
    await this.client.call(settleRefund, outcome, context);
  }

  /** Sends the state of a dispute. */
  async recordDispute(dispute: ParsedOf<typeof recordDispute>, context: RequestContext): Promise<void> {
    await this.client.call(recordDispute, dispute, context);
  }
}

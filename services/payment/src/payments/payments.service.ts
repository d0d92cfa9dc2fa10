import { Injectable } from '@nestjs/common';
import type { createPayment, ErrorBody, listPayments, Page, ParsedOf, Payment } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { MethodsService } from '../methods/methods.service.js';
import { Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import { toPayment } from './payment.mapper.js';
import { declineReasonOf } from './payment.rules.js';
import type { Origin, PaymentDocument } from './payment.schema.js';
import { PaymentRun } from './payment-run.service.js';
import { type NewPayment, PaymentsRepository } from './payments.repository.js';

type Wanted = ParsedOf<typeof createPayment>;

const LOOK_AGAIN_MS = 50;
/** What is kept of a deadline for the answer itself, in ms. */
const MARGIN_MS = 1_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const originOf = ({ principal, requestId, idempotencyKey }: Call): Origin => ({
  accountId: principal.accountId,
  kind: principal.kind,
  keyId: principal.keyId,
  requestId,
  idempotencyKey,
});

/** What a client hears of a payment that was asked for; a refusal or a decline is thrown. */
function answerOf(payment: PaymentDocument): Payment {
  if (payment.refusal !== null) throw AppError.fromBody(JSON.parse(payment.refusal) as ErrorBody);
  if (payment.status !== 'failed') return toPayment(payment);
  const details = { payment_id: payment._id, decline_code: payment.failureCode };
  throw new AppError(declineReasonOf(payment.failureCode!), { field: 'payment_method_id', details });
}

/** Payments: made in the order in which money can be lost least, and read. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly methods: MethodsService,
    private readonly processors: Processors,
    private readonly ledger: BookingLedger,
    private readonly run: PaymentRun,
  ) {}

  /** Written as pending first, under the id that booking and processor know it by; then taken as far as it leads. */
  async create(wanted: Wanted, call: Call): Promise<Payment> {
    this.processors.of(call.principal.env);
    const id = call.newId('pay');
    const begun = call.retaken ? await this.rejoin(id, call) : null;
    if (begun) return answerOf(begun);
    const payment = await this.describe(id, wanted, call);
    if (call.dryRun) return this.rehearse(payment, call);
    const pending = await this.payments.insertPending(call, payment);
    return answerOf(await this.run.advance(pending, call));
  }

  async get(id: string, call: Call): Promise<Payment> {
    const payment = await this.payments.findVisible(id, call);
    if (!payment) throw new AppError('resource_not_found', { field: 'payment_id' });
    return toPayment(payment);
  }

  async list(input: ParsedOf<typeof listPayments>, call: Call): Promise<Page<Payment>> {
    if (input.account_id !== call.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.payments.list(input, call);
    return { items: items.map(toPayment), pagination };
  }

  private async describe(id: string, wanted: Wanted, call: Call): Promise<NewPayment> {
    const { token } = await this.methods.getOwnMethod(wanted.payment_method_id, call);
    return {
      _id: id,
      origin: originOf(call),
      bookingId: wanted.booking_id,
      methodId: wanted.payment_method_id,
      token,
      amountCents: wanted.amount_cents,
      currency: wanted.currency,
    };
  }

  private async rehearse(payment: NewPayment, call: Call): Promise<Payment> {
    await this.ledger.reserve(payment, call, true);
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
   * Joins what an earlier run of the same request began: takes it up once nobody holds it, and waits as long as somebody
   * does. Null when there is nothing to join.
   */
  private async rejoin(id: string, call: Call): Promise<PaymentDocument | null> {
    const { env } = call.principal;
    for (;;) {
      const now = await this.payments.findById(env, id);
      if (now?.status !== 'pending' || now.refusal !== null) return now;
      const taken = await this.payments.takeOver(env, now);
      if (taken) return this.run.advance(taken, call);
      if (call.deadline.remainingMs() > MARGIN_MS) await pause(LOOK_AGAIN_MS);
      else if (now.step === 'charge') return now;
      else throw new AppError('unavailable', { retryAfterSeconds: 1 });
    }
  }
}

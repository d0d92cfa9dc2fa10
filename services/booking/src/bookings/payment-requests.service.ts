import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment, refundForBooking, voidForBooking } from '@swim/contracts';
import { Periodic, RpcClient } from '@swim/messaging';
import { LOGGER, type Logger, type RequestContext, type Sweep, systemContext } from '@swim/platform';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';
import { isToBeVoided } from './consequences.rules.js';

const SWEEP_MS = 1_000;
const SWEEP_BATCH = 50;
const BUDGET_MS = 5_000;
const REASON = 'Less is due for the booking than was paid.';

/**
 * Sends the requests that a booking's money causes to payment: refunds of an excess, and voids of authorized payments once the
 * booking has ended. They are stored with the change that causes them, and repeated until payment has accepted them.
 */
@Injectable()
export class PaymentRequests {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends the requests of a booking in the background. A failure is logged, and the sweep repeats it. */
  sendSoon(env: Environment, booking: BookingDocument): void {
    if (!booking.requestsAt) return;
    void this.send(env, booking).catch((error) =>
      this.logger.warn({ err: error, bookingId: booking._id }, 'payment has not accepted all requests yet'),
    );
  }

  /** Repeats overdue requests each second. */
  @Periodic('payment requests', SWEEP_MS)
  async sendOverdue(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const due = await this.bookings.findRequesting(env, SWEEP_BATCH);
      // Taking them moves the due time by a lease: failing ones queue behind the others.
      await Promise.all(
        due.map((booking) =>
          sweep.attempt(booking, async () => {
            if (await this.bookings.takeRequests(env, booking)) await this.send(env, booking);
          }),
        ),
      );
    }
  }

  private async send(env: Environment, booking: BookingDocument): Promise<void> {
    const context = systemContext(env, booking.accountId, BUDGET_MS);
    const refunds = (booking.refunds ?? []).filter(({ state }) => state === 'requested');
    const sent = await Promise.allSettled([
      ...refunds.map((refund) => this.requestRefund(booking._id, refund, context)),
      ...booking.payments.filter(isToBeVoided).map(({ id }) => this.requestVoid(booking._id, id, context)),
    ]);
    const accepted = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (accepted.length > 0) await this.bookings.markAccepted(context, booking._id, new Set(accepted));
    const failed = sent.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async requestRefund(
    bookingId: string,
    { id: refundId, paymentId, amountCents }: NonNullable<BookingDocument['refunds']>[number],
    context: RequestContext,
  ): Promise<string> {
    const refund = { bookingId, paymentId, refundId, amountCents, reason: REASON };
    await this.rpc.call(refundForBooking, refund, context);
    return refundId;
  }

  private async requestVoid(bookingId: string, paymentId: string, context: RequestContext): Promise<string> {
    await this.rpc.call(voidForBooking, { bookingId, paymentId }, context);
    return paymentId;
  }
}

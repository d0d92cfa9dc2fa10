import { Inject, Injectable } from '@nestjs/common';
import {
  finalizeAttendances,
  MOST_SESSIONS_AT_ONCE,
  recordReturns,
  refundForBooking,
  voidForBooking,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import { CreditsService } from '../../credits/credits.service.js';
import { creditedCents } from '../../money/balance.rules.js';
import { type CreditIssue, isCreditToBeSettled, requestOfIssue, toBeFinal } from '../../money/returns.rules.js';
import { type BookedSession, withSessions } from '../../money/session-billing.rules.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { isToBeReported, isToBeVoided } from '../storage/consequences.rules.js';

const BUDGET_MS = 5_000;
const REASON = 'Less is due for the booking than was paid.';

/**
 * Sends the requests that a booking's money causes: to payment, refunds of an excess, and voids of authorized payments once the
 * booking has ended; to scheduling, to make attendances final before money follows them, and to record refunds; and makes the
 * credits that it gives, and settles the one that it uses. They are stored with the change that causes them, and repeated until
 * they are accepted.
 */
@Injectable()
export class BookingRequests {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
    private readonly credits: CreditsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends the requests of a booking in the background. A failure is logged, and the sweep repeats it. */
  sendSoon(booking: BookingDocument): void {
    if (!booking.requestsAt) return;
    void this.send(booking).catch((error) =>
      this.logger.warn({ err: error, bookingId: booking._id }, 'not all requests of the booking are accepted yet'),
    );
  }

  @WhenDue(({ bookings }: BookingRequests) => bookings.requesting)
  async send(booking: BookingDocument): Promise<void> {
    const context = systemContext(booking.accountId, BUDGET_MS);
    const asSchool = systemContext(booking.schoolId, BUDGET_MS);
    const refunds = (booking.refunds ?? []).filter(({ state }) => state === 'requested');
    const sent = await Promise.allSettled([
      ...refunds.map((refund) => this.requestRefund(booking._id, refund, context)),
      ...booking.payments.filter(isToBeVoided).map(({ id }) => this.requestVoid(booking._id, id, context)),
      ...batched(booking.sessions.filter(isToBeReported)).map((some) => this.report(some, asSchool)),
      ...(booking.issues ?? [])
        .filter(({ state }) => state === 'requested')
        .map((issue) => this.giveCredit(booking, issue, context)),
      ...(isCreditToBeSettled(booking) ? [this.settleCredit(booking, context)] : []),
      ...batched(toBeFinal(booking)).map((some) => this.finalize(booking._id, some, asSchool)),
    ]);
    const accepted = sent.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (accepted.length > 0) await this.bookings.markAccepted(context, booking._id, new Set(accepted));
    const failed = sent.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async requestRefund(
    bookingId: string,
    { id: refundId, paymentId, amountCents }: NonNullable<BookingDocument['refunds']>[number],
    context: RequestContext,
  ): Promise<string[]> {
    const refund = { bookingId, paymentId, refundId, amountCents, reason: REASON };
    await this.rpc.call(refundForBooking, refund, context);
    return [refundId];
  }

  private async requestVoid(bookingId: string, paymentId: string, context: RequestContext): Promise<string[]> {
    await this.rpc.call(voidForBooking, { bookingId, paymentId }, context);
    return [paymentId];
  }

  private async giveCredit(booking: BookingDocument, issue: CreditIssue, context: RequestContext): Promise<string[]> {
    const { accountId, schoolId, readers, currency, clockOffsetMs } = booking;
    const { id, sessionId, memberId, amountCents, at, revokedCents = 0, revision } = issue;
    const given = { id, sessionId, memberId, amountCents, at, accountId, schoolId, readers, currency };
    await this.credits.give({ ...given, clockOffsetMs }, context);
    if (revision) await this.credits.revoke(id, { revokedCents, revision }, context);
    return [requestOfIssue(issue)];
  }

  private async settleCredit(booking: BookingDocument, context: RequestContext): Promise<string[]> {
    const usedCents = creditedCents(booking);
    await this.credits.settle(booking.creditId!, booking._id, usedCents, context);
    await this.bookings.markAccepted(context, booking._id, new Set(), usedCents);
    return [];
  }

  private async report(cancelled: BookedSession[], context: RequestContext): Promise<string[]> {
    const sessions = cancelled.map(({ id, refundId = null, creditId = null }) => ({ id, refundId, creditId }));
    await this.rpc.call(recordReturns, { sessions }, context);
    return cancelled.map(({ id }) => id);
  }

  /** Stores which attendances are final, and the newer states of the other sessions; what follows is requested at once. */
  private async finalize(bookingId: string, provisional: BookedSession[], context: RequestContext): Promise<string[]> {
    const requested = provisional.map(({ id, version = 1 }) => ({ id, version }));
    const found = await this.rpc.call(finalizeAttendances, { sessions: requested }, context);
    const final = new Set(found.filter(({ isFinal }) => isFinal).map(({ session }) => session.id));
    const states = found.map(({ session }) => session);
    let hasChanged = false;
    const booking = await this.bookings.follow(context, bookingId, (now) => {
      const newest = withSessions(now, states);
      const sessions = newest.map((each) => (final.has(each.id) ? { ...each, isFinal: true } : each));
      hasChanged = newest !== now.sessions || now.sessions.some(({ id, isFinal }) => final.has(id) && !isFinal);
      return hasChanged ? { sessions } : null;
    });
    // Otherwise the sweep repeats it.
    if (booking && hasChanged) this.sendSoon(booking);
    return [];
  }
}

const batched = (sessions: BookedSession[]): BookedSession[][] =>
  Array.from({ length: Math.ceil(sessions.length / MOST_SESSIONS_AT_ONCE) }, (_, batch) =>
    sessions.slice(batch * MOST_SESSIONS_AT_ONCE, (batch + 1) * MOST_SESSIONS_AT_ONCE),
  );

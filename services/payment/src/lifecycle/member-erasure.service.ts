import { Injectable } from '@nestjs/common';
import { eraseTextsOfBookings, eraseTextsOfEvents, type ParsedOf } from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { Idempotency } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundsService } from '../refunds/refunds.service.js';

/** Removes texts that may mention an erased member, for booking, which knows the member's bookings. */
@Injectable()
export class MemberErasureService {
  constructor(
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly idempotency: Idempotency,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Removes the metadata of payments, also from their events, the reasons of refunds that clients requested, and stored answers with
   * them; false while requests that may store such texts are in progress, or events are not stored yet. Idempotent.
   */
  @Serve(eraseTextsOfBookings)
  async erase(
    { bookingIds, accountIds, erasedAt }: ParsedOf<typeof eraseTextsOfBookings>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    if (!(await this.idempotency.haveEnded({ accountIds, erasedAt: new Date(erasedAt) }))) return { done: false };
    const payments = await this.payments.clearMetadataOfBookings(bookingIds, context);
    const paymentIds = payments.map(({ id }) => id);
    await this.refunds.clearReasons(paymentIds, context);
    await Promise.all(paymentIds.map((id) => this.idempotency.removeAnswersAbout(id)));
    const published = payments.filter(({ eventCount }) => eventCount > 0);
    return published.length === 0
      ? { done: true }
      : this.rpc.call(eraseTextsOfEvents, { payments: published }, context);
  }
}

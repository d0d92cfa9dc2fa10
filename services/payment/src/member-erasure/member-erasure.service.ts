import { Injectable } from '@nestjs/common';
import type { eraseTextsOfBookings, ParsedOf } from '@swim/contracts';
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
  ) {}

  /**
   * Removes the metadata of payments, the reasons of refunds that clients requested, and stored answers with them; false while requests
   * that may store such texts are in progress. Idempotent.
   */
  async erase(
    { bookingIds, accountIds, erasedAt }: ParsedOf<typeof eraseTextsOfBookings>,
    context: RequestContext,
  ): Promise<boolean> {
    const { env } = context.principal;
    if (!(await this.idempotency.haveEnded({ env, accountIds, erasedAt: new Date(erasedAt) }))) return false;
    const paymentIds = await this.payments.clearMetadataOfBookings(bookingIds, context);
    await this.refunds.clearReasons(paymentIds, context);
    await Promise.all(paymentIds.map((id) => this.idempotency.removeAnswersAbout(env, id)));
    return true;
  }
}

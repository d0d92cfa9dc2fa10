import { Injectable } from '@nestjs/common';
import { describeConsents, describeDues, findOwing, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { useOfConsent } from '../../money/consent.rules.js';
import { duesAt } from '../../money/due-parts.rules.js';
import { DuesRepository } from './dues.repository.js';

/** What families owe a school on bookings. */
@Injectable()
export class DuesService {
  constructor(private readonly dues: DuesRepository) {}

  @Serve(findOwing)
  async findOwing(_: ParsedOf<typeof findOwing>, context: RequestContext): Promise<OutputOf<typeof findOwing>> {
    return { accountIds: await this.dues.findOwing(context) };
  }

  @Serve(describeConsents)
  async describeConsents(
    { accountId }: ParsedOf<typeof describeConsents>,
    context: RequestContext,
  ): Promise<OutputOf<typeof describeConsents>> {
    const bookings = await this.dues.findConsented(context, accountId);
    return {
      consents: bookings.map((booking) => ({
        bookingId: booking._id,
        currency: booking.currency,
        ...useOfConsent(booking, booking.consent),
      })),
    };
  }

  @Serve(describeDues)
  async describe(
    { accounts }: ParsedOf<typeof describeDues>,
    context: RequestContext,
  ): Promise<OutputOf<typeof describeDues>> {
    const ids = accounts.map(({ id }) => id);
    const bookings = Map.groupBy(await this.dues.findDue(context, ids), ({ accountId }) => accountId);
    return {
      dues: accounts.map(({ id: accountId, now }) => ({ accountId, ...duesAt(bookings.get(accountId) ?? [], now) })),
    };
  }
}

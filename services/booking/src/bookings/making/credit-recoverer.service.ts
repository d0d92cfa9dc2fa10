import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { type CreditDocument, CreditsService } from '../../credits/credits.service.js';
import { creditedCents } from '../../money/balance.rules.js';
import { DraftsRepository } from '../drafts/drafts.repository.js';
import { BookingsRepository } from '../storage/bookings.repository.js';

/**
 * Ends reservations of credits whose bookings have ended without a word: after a crash between a booking and its credit. The
 * booking decides: one that was made has recorded what it uses, one that has failed uses nothing.
 */
@Injectable()
export class CreditRecoverer {
  constructor(
    private readonly credits: CreditsService,
    private readonly bookings: BookingsRepository,
    private readonly drafts: DraftsRepository,
  ) {}

  @WhenDue(({ credits }: CreditRecoverer) => credits.reserved)
  async compare(credit: CreditDocument): Promise<void> {
    const context = systemContext(credit.accountId);
    for (const { bookingId, attempt, state } of credit.spends) {
      if (state !== 'reserved') continue;
      const booking = await this.bookings.findAny(bookingId);
      if (booking) {
        await this.credits.settle(credit._id, bookingId, creditedCents(booking), context);
        continue;
      }
      const draft = await this.drafts.find(bookingId);
      // A draft is removed two days after it has failed.
      if (!draft || draft.state === 'failed')
        await this.credits.release(credit._id, bookingId, draft?.attempt ?? attempt, context);
    }
  }
}

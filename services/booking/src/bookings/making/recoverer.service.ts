import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { CONFIG, Deadline, LOGGER, type Logger, type RequestContext } from '@swim/platform';
import type { Config } from '../../config.js';
import type { DraftDocument, NewDraft } from '../drafts/draft.schema.js';
import { DraftsRepository, isOpen, requestOf } from '../drafts/drafts.repository.js';
import { BookingCancellation } from '../ending/booking-cancellation.service.js';
import { ExpiryService } from '../ending/expiry.service.js';
import { ErasureService } from '../following/erasure.service.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { BookingSaga } from './booking-saga.service.js';

/**
 * Finishes work after crashes and outages: drafts in progress whose lease has ended, cancellations, and pending
 * bookings whose time to pay has ended.
 */
@Injectable()
export class Recoverer {
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(ErasureService) private readonly erasure!: ErasureService;

  constructor(
    readonly drafts: DraftsRepository,
    readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly expiry: ExpiryService,
    private readonly cancellation: BookingCancellation,
  ) {}

  @WhenDue(({ drafts }: Recoverer) => drafts.unfinished)
  async recoverDraft(draft: DraftDocument): Promise<void> {
    if (!isOpen(draft)) return;
    // It may have been stored after an erasure of its member had searched, by a run that was killed then.
    await this.erasure.clearLateDraft(draft);
    await this.saga.recover(draft, this.contextOf(draft));
    this.logger.info({ bookingId: draft._id, attempt: draft.attempt }, 'overdue draft processed');
  }

  @WhenDue(({ bookings }: Recoverer) => bookings.unfinished)
  async recoverBooking(booking: BookingDocument): Promise<void> {
    if (booking.cancelling) await this.cancellation.resume(booking);
    else if (booking.status === 'pending') await this.expiry.expire(booking, this.config.SAGA_LEASE_MS);
    this.logger.info(
      { bookingId: booking._id, state: booking.status, attempt: booking.attempt },
      'overdue booking processed',
    );
  }

  private contextOf(draft: NewDraft): RequestContext {
    return requestOf(draft, new Deadline(this.config.SAGA_LEASE_MS));
  }
}

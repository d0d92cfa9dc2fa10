import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic, type Sweep } from '@swim/mongo';
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

const SWEEP_MS = 1_000;
const SWEEP_BATCH = 50;
// After an outage of JetStream, all bookings made meanwhile are drafts that are due. A run is bounded: one that cannot take any over
// finds the same again.
const DRAFTS_BATCH = 200;
const MOST_BATCHES = 25;

/**
 * Each second finishes work after crashes and outages: drafts in progress whose lease has ended, cancellations, and pending
 * bookings whose time to pay has ended. A failed one is retried after its next lease.
 */
@Injectable()
export class Recoverer {
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(ErasureService) private readonly erasure!: ErasureService;

  constructor(
    private readonly drafts: DraftsRepository,
    private readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly expiry: ExpiryService,
    private readonly cancellation: BookingCancellation,
  ) {}

  @Periodic('drafts', SWEEP_MS)
  async recoverDrafts(sweep: Sweep): Promise<void> {
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverDraftsIn(env, sweep)));
  }

  @Periodic('bookings', SWEEP_MS)
  async recoverAll(sweep: Sweep): Promise<void> {
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverIn(env, sweep)));
  }

  private async recoverDraftsIn(env: Environment, sweep: Sweep): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const due = await this.drafts.findDue(env, DRAFTS_BATCH);
      // A take-over moves the due time by a lease: failing ones queue behind the others.
      await Promise.all(due.map((draft) => sweep.attempt(draft, () => this.recoverDraft(env, draft))));
      if (due.length < DRAFTS_BATCH) return;
    }
  }

  private async recoverDraft(env: Environment, overdue: DraftDocument): Promise<void> {
    const draft = await this.drafts.takeOver(env, overdue, this.saga.leaseOf(overdue));
    if (!draft || !isOpen(draft)) return;
    // It may have been stored after an erasure of its member had searched, by a run that was killed then.
    await this.erasure.clearLateDraft(env, draft);
    await this.saga.recover(draft, this.contextOf(env, draft));
    this.logger.info({ bookingId: draft._id, attempt: draft.attempt }, 'overdue draft processed');
  }

  private async recoverIn(env: Environment, sweep: Sweep): Promise<void> {
    const due = await this.bookings.findDue(env, SWEEP_BATCH);
    await Promise.all(due.map((booking) => sweep.attempt(booking, () => this.recover(env, booking))));
  }

  private async recover(env: Environment, overdue: BookingDocument): Promise<void> {
    const booking = await this.bookings.takeOver(env, overdue);
    if (!booking) return;
    if (booking.cancelling) await this.cancellation.resume(env, booking);
    else if (booking.status === 'pending') await this.expiry.expire(env, booking, this.config.SAGA_LEASE_MS);
    this.logger.info(
      { bookingId: booking._id, state: booking.status, attempt: booking.attempt },
      'overdue booking processed',
    );
  }

  private contextOf(env: Environment, draft: NewDraft): RequestContext {
    return requestOf(draft, env, new Deadline(this.config.SAGA_LEASE_MS));
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import {
  CONFIG,
  Deadline,
  LOGGER,
  type Logger,
  makeRequestContext,
  newId,
  type RequestContext,
  type Sweep,
} from '@swim/platform';
import type { Config } from '../config.js';
import type { BookingDocument } from './booking.schema.js';
import { BookingCancellation } from './booking-cancellation.service.js';
import { BookingSaga } from './booking-saga.service.js';
import { BookingsRepository } from './bookings.repository.js';
import { ExpiryService } from './expiry.service.js';

const SWEEP_MS = 1_000;
const SWEEP_BATCH = 50;

/**
 * Each second finishes work after crashes and outages: bookings in progress whose lease has ended, cancellations, and pending
 * bookings whose time to pay has ended. A failed one is retried after its next lease.
 */
@Injectable()
export class Recoverer {
  @Inject(CONFIG) private readonly config!: Config;

  constructor(
    private readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly expiry: ExpiryService,
    private readonly cancellation: BookingCancellation,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic('bookings', SWEEP_MS)
  async recoverAll(sweep: Sweep): Promise<void> {
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverIn(env, sweep)));
  }

  private async recoverIn(env: Environment, sweep: Sweep): Promise<void> {
    const due = await this.bookings.findDue(env, SWEEP_BATCH);
    // A take-over moves the due time by a lease: failing ones queue behind the others.
    await Promise.all(due.map((booking) => sweep.attempt(booking, () => this.recover(env, booking))));
  }

  private async recover(env: Environment, overdue: BookingDocument): Promise<void> {
    const booking = await this.bookings.takeOver(env, overdue);
    if (!booking) return;
    if (booking.status === 'claiming')
      await this.saga.resolve(booking, contextOf(env, booking, this.config.SAGA_LEASE_MS));
    else if (booking.cancelling) await this.cancellation.resume(env, booking);
    else if (booking.status === 'pending') await this.expiry.expire(env, booking, this.config.SAGA_LEASE_MS);
    this.logger.info(
      { bookingId: booking._id, state: booking.status, attempt: booking.attempt },
      'overdue booking processed',
    );
  }
}

/** The context of the request that made the booking, resumed without its client. */
const contextOf = (env: Environment, { cause }: BookingDocument, limitMs: number): RequestContext =>
  makeRequestContext({
    requestId: cause.requestId ?? newId('req'),
    idempotencyKey: cause.idempotencyKey,
    deadline: new Deadline(limitMs),
    principal: { accountId: cause.accountId, kind: 'family', env, keyId: cause.actor, scopes: [] },
  });

import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { type Call, LOGGER, makeCall } from '@swim/messaging';
import { Deadline, type Logger, newId, Sweep } from '@swim/platform';
import { config } from '../config.js';
import type { BookingDocument } from './booking.schema.js';
import { BookingSaga } from './booking-saga.service.js';
import { BookingsRepository } from './bookings.repository.js';
import { ExpiryService } from './expiry.service.js';

const SWEEP_MS = 1_000;
const SWEEP_BATCH = 50;

/**
 * Finishes what crashes and outages left, each second: bookings under way whose lease is over, and pending ones whose
 * time to pay is. What fails is taken up again when the lease ends once more.
 */
@Injectable()
export class Recoverer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly expiry: ExpiryService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('bookings', SWEEP_MS, () => this.recoverAll(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async recoverAll(): Promise<void> {
    await Promise.all(ENVIRONMENTS.map((env) => this.recoverIn(env)));
  }

  private async recoverIn(env: Environment): Promise<void> {
    const due = await this.bookings.findDue(env, SWEEP_BATCH);
    await Promise.all(due.map((booking) => this.recover(env, booking)));
  }

  private async recover(env: Environment, overdue: BookingDocument): Promise<void> {
    try {
      const booking = await this.bookings.takeOver(env, overdue);
      if (!booking) return;
      if (booking.status === 'claiming') await this.saga.settle(booking, callOf(env, booking));
      if (booking.status === 'pending') await this.expiry.expire(env, booking, config.SAGA_LEASE_MS);
      this.logger.info(
        { bookingId: booking._id, state: booking.status, attempt: booking.attempt },
        'overdue booking looked after',
      );
    } catch (error) {
      this.logger.warn(
        { err: error, bookingId: overdue._id, attempt: overdue.attempt + 1 },
        'overdue booking not finished yet',
      );
    }
  }
}

/** The request that made the booking, going on without its client. */
const callOf = (env: Environment, { cause }: BookingDocument): Call =>
  makeCall({
    requestId: cause.requestId ?? newId('req'),
    idempotencyKey: cause.idempotencyKey,
    deadline: new Deadline(config.SAGA_LEASE_MS),
    principal: { accountId: cause.accountId, kind: 'family', env, keyId: cause.actor, scopes: [] },
  });

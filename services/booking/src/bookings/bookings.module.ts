import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { BookingCancellation } from './booking-cancellation.service.js';
import { BookingClockService } from './booking-clock.service.js';
import { BookingRequests } from './booking-requests.service.js';
import { BookingReset } from './booking-reset.service.js';
import { BookingSaga } from './booking-saga.service.js';
import { BookingsRepository } from './bookings.repository.js';
import { BookingsService } from './bookings.service.js';
import { CreditRecoverer } from './credit-recoverer.service.js';
import { DraftsRepository } from './drafts.repository.js';
import { ErasureService } from './erasure.service.js';
import { ExpiryService } from './expiry.service.js';
import { LedgerService } from './ledger.service.js';
import { MovementsRepository } from './movements.repository.js';
import { Reconciler } from './reconciler.service.js';
import { Recoverer } from './recoverer.service.js';
import { SessionsFollower } from './sessions-follower.service.js';

/** Bookings: making, paying, expiring and recovering them, and erasure of their members. */
@Module({
  imports: [CreditsModule],
  providers: [
    BookingsService,
    BookingSaga,
    LedgerService,
    BookingCancellation,
    BookingClockService,
    BookingReset,
    BookingRequests,
    ExpiryService,
    SessionsFollower,
    Recoverer,
    CreditRecoverer,
    Reconciler,
    ErasureService,
    BookingsRepository,
    DraftsRepository,
    MovementsRepository,
  ],
  exports: [BookingsService, BookingClockService, BookingReset],
})
export class BookingsModule {}

import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { DraftsRepository } from './drafts/drafts.repository.js';
import { DuesRepository } from './dues/dues.repository.js';
import { DuesService } from './dues/dues.service.js';
import { BookingCancellation } from './ending/booking-cancellation.service.js';
import { BookingClockService } from './ending/booking-clock.service.js';
import { BookingReset } from './ending/booking-reset.service.js';
import { ExpiryService } from './ending/expiry.service.js';
import { EnrollmentsService } from './enrolling/enrollments.service.js';
import { BookingRequests } from './following/booking-requests.service.js';
import { ConsentsService } from './following/consents.service.js';
import { ErasureService } from './following/erasure.service.js';
import { LedgerService } from './following/ledger.service.js';
import { Reconciler } from './following/reconciler.service.js';
import { SessionsFollower } from './following/sessions-follower.service.js';
import { BookingSaga } from './making/booking-saga.service.js';
import { BookingsService } from './making/bookings.service.js';
import { CreditRecoverer } from './making/credit-recoverer.service.js';
import { Recoverer } from './making/recoverer.service.js';
import { SingleSessionsService } from './making/single-sessions.service.js';
import { BookingsRepository } from './storage/bookings.repository.js';
import { MovementsRepository } from './storage/movements.repository.js';

/** Bookings: making, paying, expiring and recovering them, and erasure of their members. */
@Module({
  imports: [CreditsModule],
  providers: [
    BookingsService,
    SingleSessionsService,
    EnrollmentsService,
    BookingSaga,
    LedgerService,
    ConsentsService,
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
    DuesRepository,
    DuesService,
    MovementsRepository,
  ],
  exports: [BookingsService, BookingClockService, BookingReset],
})
export class BookingsModule {}

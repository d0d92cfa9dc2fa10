import { Module } from '@nestjs/common';
import { ErasedMembers, MongoModule } from '@swim/mongo';
import { BookingSaga } from './bookings/booking-saga.service.js';
import { BookingsController } from './bookings/bookings.controller.js';
import { BookingsRepository } from './bookings/bookings.repository.js';
import { BookingsService } from './bookings/bookings.service.js';
import { ErasureController } from './bookings/erasure.controller.js';
import { ErasureService } from './bookings/erasure.service.js';
import { ExpiryService } from './bookings/expiry.service.js';
import { LedgerService } from './bookings/ledger.service.js';
import { Recoverer } from './bookings/recoverer.service.js';
import { config } from './config.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [BookingsController, ErasureController],
  providers: [
    BookingsService,
    BookingSaga,
    LedgerService,
    ExpiryService,
    Recoverer,
    BookingsRepository,
    ErasureService,
    ErasedMembers,
  ],
})
export class AppModule {}

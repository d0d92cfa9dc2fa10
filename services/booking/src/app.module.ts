import { Module } from '@nestjs/common';
import { DataKeys, ErasedMembers, FreeTexts, KEY_WRAPPING, MongoModule, underMasterKeys } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccountErasureController } from './account-erasure/account-erasure.controller.js';
import { AccountErasureService } from './account-erasure/account-erasure.service.js';
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
  controllers: [BookingsController, ErasureController, AccountErasureController],
  providers: [
    BookingsService,
    BookingSaga,
    LedgerService,
    ExpiryService,
    Recoverer,
    BookingsRepository,
    ErasureService,
    AccountErasureService,
    ErasedMembers,
    FreeTexts,
    DataKeys,
    {
      provide: KEY_WRAPPING,
      useValue: underMasterKeys(new MasterKeys('booking', config.DATA_KEY, config.DATA_KEYS_ALSO_READ)),
    },
  ],
})
export class AppModule {}

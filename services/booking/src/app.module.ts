import { Module } from '@nestjs/common';
import { MemberKeysModule, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { BookingsModule } from './bookings/bookings.module.js';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { StatementsModule } from './statements/statements.module.js';

@Module({
  imports: [
    MongoModule.forService(config, COLLECTIONS),
    MemberKeysModule.under(new MasterKeys('booking', config)),
    BookingsModule,
    StatementsModule,
    LifecycleModule,
  ],
})
export class AppModule {}

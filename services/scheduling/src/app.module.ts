import { Module } from '@nestjs/common';
import { MemberKeysModule, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AvailabilityModule } from './availability/availability.module.js';
import { BookingApiModule } from './booking-api/booking-api.module.js';
import { ClassesModule } from './classes/classes.module.js';
import { ClosuresModule } from './closures/closures.module.js';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { HoldsModule } from './holds/holds.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { TeachingModule } from './teaching/teaching.module.js';
import { WaitlistModule } from './waitlist/waitlist.module.js';

@Module({
  imports: [
    MongoModule.forService(config, COLLECTIONS),
    MemberKeysModule.under(new MasterKeys('scheduling', config)),
    PoolsModule,
    HoldsModule,
    WaitlistModule,
    SessionsModule,
    TeachingModule,
    ClassesModule,
    ClosuresModule,
    AvailabilityModule,
    BookingApiModule,
    FeedsModule,
    LifecycleModule,
  ],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { FeedsModule } from '../feeds/feeds.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TeachingModule } from '../teaching/teaching.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { AccountClockService } from './account-clock.service.js';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';
import { ConnectionEndService } from './connection-end.service.js';
import { MemberErasureService } from './member-erasure.service.js';

/** What happens to an account or a member as a whole: clock and reset of a test account, and erasure. */
@Module({
  imports: [
    FeedsModule,
    HoldsModule,
    LessonsModule,
    WaitlistModule,
    SessionsModule,
    PoolsModule,
    TeachingModule,
    ParticipantsModule,
  ],
  providers: [
    AccountClockService,
    AccountResetService,
    AccountErasureService,
    ConnectionEndService,
    MemberErasureService,
  ],
})
export class LifecycleModule {}

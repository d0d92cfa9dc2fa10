import { Module } from '@nestjs/common';
import { FeedsModule } from '../feeds/feeds.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { AccountErasureService } from './account-erasure.service.js';
import { ErasureService } from './erasure.service.js';

/** Erasure of members and of accounts. */
@Module({
  imports: [FeedsModule, HoldsModule, WaitlistModule, SessionsModule],
  providers: [ErasureService, AccountErasureService],
})
export class ErasureModule {}

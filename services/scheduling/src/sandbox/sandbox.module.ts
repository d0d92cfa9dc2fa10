import { Module } from '@nestjs/common';
import { HoldsModule } from '../holds/holds.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { AccountClockService } from './account-clock.service.js';
import { AccountResetService } from './account-reset.service.js';

/** Clocks and resets of test accounts. */
@Module({
  imports: [HoldsModule, WaitlistModule, SessionsModule, PoolsModule],
  providers: [AccountClockService, AccountResetService],
})
export class SandboxModule {}

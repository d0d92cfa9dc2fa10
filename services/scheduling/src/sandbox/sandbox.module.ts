import { Module } from '@nestjs/common';
import { HoldsModule } from '../holds/holds.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { AccountClockController } from './account-clock.controller.js';
import { AccountClockService } from './account-clock.service.js';

/** Clocks of test accounts. */
@Module({
  imports: [HoldsModule, WaitlistModule, SessionsModule],
  controllers: [AccountClockController],
  providers: [AccountClockService],
})
export class SandboxModule {}

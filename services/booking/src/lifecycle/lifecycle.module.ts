import { Module } from '@nestjs/common';
import { BookingsModule } from '../bookings/bookings.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountErasureService } from './account-erasure.service.js';
import { SandboxController } from './sandbox.controller.js';

/** What happens to an account as a whole: clock and reset of a test account, and erasure. */
@Module({
  imports: [BookingsModule, CreditsModule],
  controllers: [SandboxController],
  providers: [AccountErasureService],
})
export class LifecycleModule {}

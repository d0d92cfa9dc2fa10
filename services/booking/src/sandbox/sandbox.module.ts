import { Module } from '@nestjs/common';
import { BookingsModule } from '../bookings/bookings.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountClockController } from './account-clock.controller.js';

/** Clocks of test accounts. */
@Module({ imports: [BookingsModule, CreditsModule], controllers: [AccountClockController] })
export class SandboxModule {}

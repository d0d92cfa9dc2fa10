import { Module } from '@nestjs/common';
import { BookingsModule } from '../bookings/bookings.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { SandboxController } from './sandbox.controller.js';

/** Clocks and resets of test accounts. */
@Module({ imports: [BookingsModule, CreditsModule], controllers: [SandboxController] })
export class SandboxModule {}

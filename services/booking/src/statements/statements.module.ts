import { Module } from '@nestjs/common';
import { BookingsModule } from '../bookings/bookings.module.js';
import { StatementsService } from './statements.service.js';

/** Statements of schools. */
@Module({
  imports: [BookingsModule],
  providers: [StatementsService],
})
export class StatementsModule {}

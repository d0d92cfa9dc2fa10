import { Module } from '@nestjs/common';
import { BookingsModule } from '../bookings/bookings.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsService } from './statements.service.js';

/** Statements of schools. */
@Module({
  imports: [BookingsModule],
  controllers: [StatementsController],
  providers: [StatementsService],
})
export class StatementsModule {}

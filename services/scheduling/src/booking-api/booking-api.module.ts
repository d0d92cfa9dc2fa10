import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { BookableLessonsService } from './bookable-lessons.service.js';
import { BookingClaimsService } from './booking-claims.service.js';
import { BookingSessionsController } from './booking-sessions.controller.js';
import { HoldConversionService } from './hold-conversion.service.js';

/** Operations for the booking service. */
@Module({
  imports: [CalendarModule, LessonsModule, PoolsModule, SlotsModule, ParticipantsModule, HoldsModule, SessionsModule],
  controllers: [BookingSessionsController],
  providers: [BookingClaimsService, HoldConversionService, BookableLessonsService],
})
export class BookingApiModule {}

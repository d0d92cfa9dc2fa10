import { Module } from '@nestjs/common';
import { ErasedMembers, MongoModule } from '@swim/mongo';
import { AvailabilityController } from './calendar/availability.controller.js';
import { AvailabilityService } from './calendar/availability.service.js';
import { CalendarService, CLAIM_LEASE_MS } from './calendar/calendar.service.js';
import { ClaimsRepository } from './calendar/claims.repository.js';
import { DaysRepository } from './calendar/days.repository.js';
import { FreeInstructorsController } from './calendar/free-instructors.controller.js';
import { FreeInstructorsService } from './calendar/free-instructors.service.js';
import { FreedTimeService } from './calendar/freed-time.service.js';
import { SingleSlotService } from './calendar/single-slot.service.js';
import { SlotsService } from './calendar/slots.service.js';
import { SuggestionsService } from './calendar/suggestions.service.js';
import { config } from './config.js';
import { HoldConversionService } from './holds/hold-conversion.service.js';
import { HoldEndsService } from './holds/hold-ends.service.js';
import { HoldKeepingService } from './holds/hold-keeping.service.js';
import { HoldSweep } from './holds/hold-sweep.service.js';
import { HoldsController } from './holds/holds.controller.js';
import { HoldsRepository } from './holds/holds.repository.js';
import { HoldsService } from './holds/holds.service.js';
import { PoolRemovalService } from './pools/pool-removal.service.js';
import { PoolsController } from './pools/pools.controller.js';
import { PoolsRepository } from './pools/pools.repository.js';
import { PoolsService } from './pools/pools.service.js';
import { BookingClaimsService } from './sessions/booking-claims.service.js';
import { BookingSessionsController } from './sessions/booking-sessions.controller.js';
import { CancellationService } from './sessions/cancellation.service.js';
import { CompletionService } from './sessions/completion.service.js';
import { CompletionSweep } from './sessions/completion-sweep.service.js';
import { CoverageService } from './sessions/coverage.service.js';
import { ErasedSessionsService } from './sessions/erased-sessions.service.js';
import { ErasureController } from './sessions/erasure.controller.js';
import { ErasureService } from './sessions/erasure.service.js';
import { PlanningService } from './sessions/planning.service.js';
import { RecoveryService } from './sessions/recovery.service.js';
import { RescheduleService } from './sessions/reschedule.service.js';
import { SessionClaimsService } from './sessions/session-claims.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SettlementService } from './sessions/settlement.service.js';
import { OffersService } from './waitlist/offers.service.js';
import { WaitlistController } from './waitlist/waitlist.controller.js';
import { WaitlistRepository } from './waitlist/waitlist.repository.js';
import { WaitlistService } from './waitlist/waitlist.service.js';
import { WaitlistSweep } from './waitlist/waitlist-sweep.service.js';

const calendar = [
  CalendarService,
  SlotsService,
  FreeInstructorsService,
  SuggestionsService,
  SingleSlotService,
  FreedTimeService,
  ClaimsRepository,
  DaysRepository,
  { provide: CLAIM_LEASE_MS, useValue: config.CLAIM_LEASE_MS },
];
const pools = [PoolsService, PoolRemovalService, PoolsRepository];
const holds = [HoldsService, HoldKeepingService, HoldEndsService, HoldConversionService, HoldSweep, HoldsRepository];
const waitlist = [WaitlistService, OffersService, WaitlistSweep, WaitlistRepository];
const sessions = [
  SessionsService,
  RescheduleService,
  CancellationService,
  CoverageService,
  SessionClaimsService,
  PlanningService,
  SettlementService,
  RecoveryService,
  SessionsRepository,
  CompletionService,
  CompletionSweep,
  ErasureService,
  ErasedSessionsService,
  ErasedMembers,
];

@Module({
  imports: [MongoModule.forService({ ...config, migrations: new URL('../migrations/', import.meta.url) })],
  controllers: [
    SessionsController,
    BookingSessionsController,
    AvailabilityController,
    FreeInstructorsController,
    PoolsController,
    HoldsController,
    WaitlistController,
    ErasureController,
  ],
  providers: [...calendar, ...pools, ...holds, ...waitlist, ...sessions, AvailabilityService, BookingClaimsService],
})
export class AppModule {}

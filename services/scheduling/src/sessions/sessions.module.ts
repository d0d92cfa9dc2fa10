import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { CancellationService } from './cancellation.service.js';
import { ClaimAuditService } from './claim-audit.service.js';
import { ClaimAuditsRepository } from './claim-audits.repository.js';
import { CompletionService } from './completion.service.js';
import { DueSessionsRepository } from './due-sessions.repository.js';
import { DueSessionsService } from './due-sessions.service.js';
import { ErasedSessionsService } from './erased-sessions.service.js';
import { FulfilmentService } from './fulfilment.service.js';
import { GivenLessonsRepository } from './given-lessons.repository.js';
import { LessonTimesRepository } from './lesson-times.repository.js';
import { LessonTimesService } from './lesson-times.service.js';
import { LessonsErasure } from './lessons-erasure.service.js';
import { PaidAmountsService } from './paid-amounts.service.js';
import { RecoveryService } from './recovery.service.js';
import { RescheduleService } from './reschedule.service.js';
import { SessionClaimsService } from './session-claims.service.js';
import { SessionCleanUpsRepository } from './session-clean-ups.repository.js';
import { SessionMoneyService } from './session-money.service.js';
import { SessionPlansService } from './session-plans.service.js';
import { SessionTexts } from './session-texts.service.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

/** Sessions: making, moving, cancelling, completing, and recovery of each. */
@Module({
  imports: [CalendarModule, SlotsModule, ParticipantsModule, HoldsModule, WaitlistModule],
  providers: [
    SessionsService,
    RescheduleService,
    CancellationService,
    PaidAmountsService,
    SessionMoneyService,
    SessionClaimsService,
    SessionCleanUpsRepository,
    SessionPlansService,
    FulfilmentService,
    RecoveryService,
    SessionsRepository,
    SessionTexts,
    CompletionService,
    DueSessionsService,
    DueSessionsRepository,
    ClaimAuditService,
    ClaimAuditsRepository,
    ErasedSessionsService,
    LessonsErasure,
    GivenLessonsRepository,
    LessonTimesRepository,
    LessonTimesService,
  ],
  exports: [
    SessionsService,
    SessionPlansService,
    CancellationService,
    SessionMoneyService,
    FulfilmentService,
    DueSessionsService,
    ErasedSessionsService,
    LessonsErasure,
    LessonTimesService,
  ],
})
export class SessionsModule {}

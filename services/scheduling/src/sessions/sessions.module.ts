import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { CancellationService } from './cancelling/cancellation.service.js';
import { ErasedSessionsService } from './cancelling/erased-sessions.service.js';
import { LateSessionsService } from './cancelling/late-sessions.service.js';
import { LeftLessonsService } from './cancelling/left-lessons.service.js';
import { LessonsErasure } from './cancelling/lessons-erasure.service.js';
import { PaidAmountsService } from './cancelling/paid-amounts.service.js';
import { SessionClaimsService } from './cancelling/session-claims.service.js';
import { SessionCleanUpsRepository } from './cancelling/session-clean-ups.repository.js';
import { SessionMoneyService } from './cancelling/session-money.service.js';
import { UnconnectedSessions } from './cancelling/unconnected-sessions.service.js';
import { ClaimAuditService } from './ending/claim-audit.service.js';
import { ClaimAuditsRepository } from './ending/claim-audits.repository.js';
import { CompletionService } from './ending/completion.service.js';
import { DueSessionsRepository } from './ending/due-sessions.repository.js';
import { DueSessionsService } from './ending/due-sessions.service.js';
import { FulfilmentService } from './making/fulfilment.service.js';
import { LessonMovesService } from './making/lesson-moves.service.js';
import { LessonSwitchService } from './making/lesson-switch.service.js';
import { RecoveryService } from './making/recovery.service.js';
import { RescheduleService } from './making/reschedule.service.js';
import { SessionMovesService } from './making/session-moves.service.js';
import { SessionPlansService } from './making/session-plans.service.js';
import { SessionsService } from './making/sessions.service.js';
import { GivenLessonsRepository } from './reading/given-lessons.repository.js';
import { LessonReadingService } from './reading/lesson-reading.service.js';
import { LessonSessionsRepository } from './reading/lesson-sessions.repository.js';
import { LessonTimesRepository } from './reading/lesson-times.repository.js';
import { LessonTimesService } from './reading/lesson-times.service.js';
import { OwnLessonsService } from './reading/own-lessons.service.js';
import { RosterService } from './reading/roster.service.js';
import { TaughtLessonsRepository } from './reading/taught-lessons.repository.js';
import { SessionTexts } from './storage/session-texts.service.js';
import { SessionsRepository } from './storage/sessions.repository.js';

/** Sessions: making, moving, cancelling, completing, and recovery of each. */
@Module({
  imports: [CalendarModule, LessonsModule, SlotsModule, ParticipantsModule, HoldsModule, WaitlistModule],
  providers: [
    SessionsService,
    RescheduleService,
    SessionMovesService,
    LessonSwitchService,
    CancellationService,
    PaidAmountsService,
    SessionMoneyService,
    SessionClaimsService,
    LeftLessonsService,
    SessionCleanUpsRepository,
    SessionPlansService,
    FulfilmentService,
    LessonMovesService,
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
    UnconnectedSessions,
    LateSessionsService,
    GivenLessonsRepository,
    LessonTimesRepository,
    TaughtLessonsRepository,
    LessonSessionsRepository,
    LessonReadingService,
    OwnLessonsService,
    RosterService,
    LessonTimesService,
  ],
  exports: [
    LessonReadingService,
    SessionsService,
    SessionPlansService,
    CancellationService,
    SessionMoneyService,
    FulfilmentService,
    LessonMovesService,
    DueSessionsService,
    ErasedSessionsService,
    LessonsErasure,
    UnconnectedSessions,
    LessonTimesService,
  ],
})
export class SessionsModule {}

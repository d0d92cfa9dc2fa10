import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { AccessLogRepository } from './access-log/access-log.repository.js';
import { AccessLogService } from './access-log/access-log.service.js';
import { ConnectionActivity } from './connections/connection-activity.service.js';
import { ConnectionEventsController } from './connections/connection-events.controller.js';
import { ConnectionLapse } from './connections/connection-lapse.service.js';
import { ConnectionSaga } from './connections/connection-saga.service.js';
import { ConnectionsRepository } from './connections/connections.repository.js';
import { ConnectionsService } from './connections/connections.service.js';
import { ConnectionsErasure } from './connections/connections-erasure.service.js';
import { FamilyConnectionsRepository } from './connections/family-connections.repository.js';
import { FamilyConnections } from './connections/family-connections.service.js';
import { MadeConnections } from './connections/made-connections.service.js';
import { FamilyListService } from './families/family-list.service.js';
import { MadeFamiliesService } from './families/made-families.service.js';
import { FamilyBooks } from './imports/family-book.service.js';
import { FamilyRows } from './imports/family-rows.service.js';
import { ImportRowsRepository } from './imports/import-rows.repository.js';
import { ImportSaga } from './imports/import-saga.service.js';
import { ImportsRepository } from './imports/imports.repository.js';
import { ImportsService } from './imports/imports.service.js';
import { RowsService } from './imports/rows.service.js';
import { InstructorEmailsService } from './instructors/instructor-emails.service.js';
import { InstructorsRepository } from './instructors/instructors.repository.js';
import { InstructorsService } from './instructors/instructors.service.js';
import { InstructorsErasure } from './instructors/instructors-erasure.service.js';
import { CertifiedDaysService } from './instructors/search/certified-days.service.js';
import { InstructorSearchRepository } from './instructors/search/instructor-search.repository.js';
import { InstructorSearchService } from './instructors/search/instructor-search.service.js';
import { TeachingHoursService } from './instructors/search/teaching-hours.service.js';
import { LessonsRepository } from './members/lessons/lessons.repository.js';
import { LessonsService } from './members/lessons/lessons.service.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { MembersErasure } from './members/members-erasure.service.js';
import { ProgressService } from './members/progress/progress.service.js';
import { PupilsService } from './members/pupils.service.js';
import { EmailConfirmationController } from './participants/email-confirmation.controller.js';
import { ParticipantsService } from './participants/participants.service.js';
import { RecipientsService } from './participants/recipients.service.js';
import { RatingService } from './reviews/rating.service.js';
import { ReviewsRepository } from './reviews/reviews.repository.js';
import { ReviewsService } from './reviews/reviews.service.js';
import { ReviewsErasure } from './reviews/reviews-erasure.service.js';

/** Members and instructors, reviews, and the log of who read what of members. */
@Module({
  imports: [IdentityModule],
  controllers: [ConnectionEventsController, EmailConfirmationController],
  providers: [
    AccessLogRepository,
    AccessLogService,
    ConnectionsErasure,
    ConnectionsRepository,
    ConnectionsService,
    ConnectionActivity,
    ConnectionLapse,
    ConnectionSaga,
    FamilyConnections,
    FamilyConnectionsRepository,
    FamilyListService,
    FamilyBooks,
    FamilyRows,
    ImportRowsRepository,
    ImportSaga,
    ImportsRepository,
    ImportsService,
    RowsService,
    MadeConnections,
    MadeFamiliesService,
    InstructorEmailsService,
    InstructorsErasure,
    InstructorsRepository,
    InstructorsService,
    CertifiedDaysService,
    InstructorSearchRepository,
    InstructorSearchService,
    TeachingHoursService,
    MembersErasure,
    MembersRepository,
    MembersService,
    PupilsService,
    ProgressService,
    LessonsRepository,
    LessonsService,
    ParticipantsService,
    RecipientsService,
    RatingService,
    ReviewsErasure,
    ReviewsRepository,
    ReviewsService,
  ],
  exports: [
    ConnectionLapse,
    ConnectionsErasure,
    InstructorsErasure,
    InstructorsService,
    MembersErasure,
    MembersService,
    ReviewsErasure,
    ReviewsService,
  ],
})
export class PeopleModule {}

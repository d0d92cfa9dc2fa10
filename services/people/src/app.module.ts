import { Module } from '@nestjs/common';
import { DataKeys, FreeTexts, KEY_WRAPPING, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccessController } from './access/access.controller.js';
import { AccessRepository } from './access/access.repository.js';
import { AccessService } from './access/access.service.js';
import { KeyEndsService } from './access/key-ends.service.js';
import { KeyInvalidationService } from './access/key-invalidation.service.js';
import { KeySecretsService } from './access/key-secrets.service.js';
import { KeysController } from './access/keys.controller.js';
import { KeysService } from './access/keys.service.js';
import { AccessLogController } from './access-log/access-log.controller.js';
import { AccessLogRepository } from './access-log/access-log.repository.js';
import { AccessLogService } from './access-log/access-log.service.js';
import { AccountLifeService } from './accounts/account-life.service.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { config } from './config.js';
import { AccountClosingService } from './erasure/account-closing.service.js';
import { AccountEnd } from './erasure/account-end.service.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { ErasureRun } from './erasure/erasure-run.service.js';
import { ErasureSweep } from './erasure/erasure-sweep.service.js';
import { ErasuresRepository } from './erasure/erasures.repository.js';
import { PeopleErasureService } from './erasure/people-erasure.service.js';
import { InstructorSearchService } from './instructors/instructor-search.service.js';
import { InstructorsController } from './instructors/instructors.controller.js';
import { InstructorsRepository } from './instructors/instructors.repository.js';
import { InstructorsService } from './instructors/instructors.service.js';
import { InstructorsErasure } from './instructors/instructors-erasure.service.js';
import { LessonHistory } from './members/lesson-history.service.js';
import { LessonsController } from './members/lessons.controller.js';
import { LessonsRepository } from './members/lessons.repository.js';
import { MemberTextsMigration } from './members/member-texts.migration.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { MembersErasure } from './members/members-erasure.service.js';
import { ProgressController } from './members/progress.controller.js';
import { ProgressService } from './members/progress.service.js';
import { SchoolRightsService } from './members/school-rights.service.js';
import { ParticipantsController } from './participants/participants.controller.js';
import { ParticipantsService } from './participants/participants.service.js';
import { AccountKeys } from './privacy/account-keys.service.js';
import { CommentsService } from './privacy/comments.service.js';
import { PrivacyRepository } from './privacy/privacy.repository.js';
import { PrivacyService } from './privacy/privacy.service.js';
import { CommentsMigration } from './reviews/comments.migration.js';
import { RatingService } from './reviews/rating.service.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { ReviewsRepository } from './reviews/reviews.repository.js';
import { ReviewsService } from './reviews/reviews.service.js';
import { ReviewsErasure } from './reviews/reviews-erasure.service.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [
    AccountsController,
    AccessController,
    KeysController,
    AccessLogController,
    InstructorsController,
    ReviewsController,
    MembersController,
    ProgressController,
    LessonsController,
    ParticipantsController,
    ErasureController,
  ],
  providers: [
    AccountsService,
    AccountsRepository,
    AccessService,
    AccessRepository,
    KeySecretsService,
    KeyInvalidationService,
    KeyEndsService,
    KeysService,
    AccessLogService,
    AccessLogRepository,
    InstructorsService,
    InstructorsRepository,
    InstructorSearchService,
    ReviewsService,
    ReviewsRepository,
    RatingService,
    MembersService,
    MembersRepository,
    ProgressService,
    LessonsRepository,
    MemberTextsMigration,
    CommentsMigration,
    LessonHistory,
    SchoolRightsService,
    PrivacyService,
    PrivacyRepository,
    AccountKeys,
    CommentsService,
    { provide: KEY_WRAPPING, useExisting: AccountKeys },
    DataKeys,
    FreeTexts,
    { provide: MasterKeys, useValue: new MasterKeys('people', config.DATA_KEY, config.DATA_KEYS_ALSO_READ) },
    ParticipantsService,
    AccountClosingService,
    ErasuresRepository,
    ErasureRun,
    ErasureSweep,
    PeopleErasureService,
    AccountEnd,
    AccountLifeService,
    MembersErasure,
    InstructorsErasure,
    ReviewsErasure,
  ],
})
export class AppModule {}

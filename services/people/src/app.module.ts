import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { AccessController } from './access/access.controller.js';
import { AccessRepository } from './access/access.repository.js';
import { AccessService } from './access/access.service.js';
import { KeyNewsService } from './access/key-news.service.js';
import { KeySecretsService } from './access/key-secrets.service.js';
import { KeysController } from './access/keys.controller.js';
import { KeysService } from './access/keys.service.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { config } from './config.js';
import { InstructorSearchService } from './instructors/instructor-search.service.js';
import { InstructorsController } from './instructors/instructors.controller.js';
import { InstructorsRepository } from './instructors/instructors.repository.js';
import { InstructorsService } from './instructors/instructors.service.js';
import { LessonsRepository } from './members/lessons.repository.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { ProgressController } from './members/progress.controller.js';
import { ProgressService } from './members/progress.service.js';
import { PartiesController } from './parties/parties.controller.js';
import { PartiesService } from './parties/parties.service.js';
import { MasterKeys } from './privacy/master-keys.js';
import { PrivacyRepository } from './privacy/privacy.repository.js';
import { PrivacyService } from './privacy/privacy.service.js';
import { RatingService } from './reviews/rating.service.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { ReviewsRepository } from './reviews/reviews.repository.js';
import { ReviewsService } from './reviews/reviews.service.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [
    AccountsController,
    AccessController,
    KeysController,
    InstructorsController,
    ReviewsController,
    MembersController,
    ProgressController,
    PartiesController,
  ],
  providers: [
    AccountsService,
    AccountsRepository,
    AccessService,
    AccessRepository,
    KeySecretsService,
    KeyNewsService,
    KeysService,
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
    PrivacyService,
    PrivacyRepository,
    { provide: MasterKeys, useValue: new MasterKeys(config.DATA_KEY, config.DATA_KEYS_ALSO_READ) },
    PartiesService,
  ],
})
export class AppModule {}

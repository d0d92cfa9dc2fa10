import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccessModule } from './access/access.module.js';
import { AccessLogModule } from './access-log/access-log.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { config } from './config.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { InstructorsModule } from './instructors/instructors.module.js';
import { MembersModule } from './members/members.module.js';
import { ParticipantsModule } from './participants/participants.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { ResetsModule } from './resets/resets.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { TeamModule } from './team/team.module.js';

@Module({
  imports: [
    MongoModule.forService(config),
    PrivacyModule.under(new MasterKeys('people', config.DATA_KEY, config.DATA_KEYS_ALSO_READ)),
    AccountsModule,
    AccessModule,
    AccessLogModule,
    InstructorsModule,
    MembersModule,
    ReviewsModule,
    ParticipantsModule,
    ErasureModule,
    SignInModule,
    ResetsModule,
    TeamModule,
  ],
})
export class AppModule {}

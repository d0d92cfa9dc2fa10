import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InstructorsModule } from '../instructors/instructors.module.js';
import { MembersModule } from '../members/members.module.js';
import { ReviewsModule } from '../reviews/reviews.module.js';
import { DemoDataService } from './demo-data.service.js';
import { PeopleResetService } from './people-reset.service.js';
import { ResetRun } from './reset-run.service.js';
import { SandboxResetService } from './sandbox-reset.service.js';

/** Resets of test accounts, across all services. */
@Module({
  imports: [AccountsModule, InstructorsModule, MembersModule, ReviewsModule],
  providers: [SandboxResetService, ResetRun, PeopleResetService, DemoDataService],
})
export class ResetsModule {}

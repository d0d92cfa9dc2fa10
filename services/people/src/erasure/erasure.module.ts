import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InstructorsModule } from '../instructors/instructors.module.js';
import { MembersModule } from '../members/members.module.js';
import { ReviewsModule } from '../reviews/reviews.module.js';
import { TeamModule } from '../team/team.module.js';
import { AccountClosingService } from './account-closing.service.js';
import { ErasedMembersService } from './erased-members.service.js';
import { ErasureRun } from './erasure-run.service.js';
import { ErasureSweep } from './erasure-sweep.service.js';
import { ErasuresRepository } from './erasures.repository.js';
import { PeopleErasureService } from './people-erasure.service.js';

/** Erasure of members and of accounts, across all services. */
@Module({
  imports: [AccountsModule, AccessModule, InstructorsModule, MembersModule, ReviewsModule, TeamModule],
  providers: [
    AccountClosingService,
    ErasedMembersService,
    ErasureRun,
    ErasureSweep,
    PeopleErasureService,
    ErasuresRepository,
  ],
})
export class ErasureModule {}

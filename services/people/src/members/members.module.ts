import { Module } from '@nestjs/common';
import { AccessLogModule } from '../access-log/access-log.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InstructorsModule } from '../instructors/instructors.module.js';
import { LessonsRepository } from './lessons.repository.js';
import { MemberAccess } from './member-access.service.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { MembersErasure } from './members-erasure.service.js';
import { ProgressService } from './progress.service.js';
import { SchoolRightsService } from './school-rights.service.js';

/** Members, their progress, and the rights of schools to read them. */
@Module({
  imports: [AccountsModule, AccessLogModule, InstructorsModule],
  providers: [
    MembersService,
    MemberAccess,
    ProgressService,
    SchoolRightsService,
    MembersErasure,
    MembersRepository,
    LessonsRepository,
  ],
  exports: [MembersService, ProgressService, MembersErasure, SchoolRightsService],
})
export class MembersModule {}

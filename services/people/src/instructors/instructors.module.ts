import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CertifiedDaysService } from './certified-days.service.js';
import { InstructorEmailsService } from './instructor-emails.service.js';
import { InstructorSearchRepository } from './instructor-search.repository.js';
import { InstructorSearchService } from './instructor-search.service.js';
import { InstructorsRepository } from './instructors.repository.js';
import { InstructorsService } from './instructors.service.js';
import { InstructorsErasure } from './instructors-erasure.service.js';
import { TeachingHoursService } from './teaching-hours.service.js';

/** Instructors and the search for them. */
@Module({
  imports: [AccountsModule],
  providers: [
    InstructorsService,
    InstructorEmailsService,
    InstructorSearchService,
    TeachingHoursService,
    CertifiedDaysService,
    InstructorsErasure,
    InstructorsRepository,
    InstructorSearchRepository,
  ],
  exports: [InstructorsService, InstructorEmailsService, InstructorsErasure],
})
export class InstructorsModule {}

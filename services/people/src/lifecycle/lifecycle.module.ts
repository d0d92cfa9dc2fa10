import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountClosingService } from './erasure/account-closing.service.js';
import { AccountLifeService } from './erasure/account-life.service.js';
import { ErasedMembersService } from './erasure/erased-members.service.js';
import { ErasureSaga } from './erasure/erasure-saga.service.js';
import { ErasuresRepository } from './erasure/erasures.repository.js';
import { PeopleErasureService } from './erasure/people-erasure.service.js';
import { InstructorInvitationsService } from './instructor-invitations.service.js';
import { AccountClocksRepository } from './sandbox/account-clocks.repository.js';
import { AccountResetsRepository } from './sandbox/account-resets.repository.js';
import { AccountResetsService } from './sandbox/account-resets.service.js';
import { ClockAdvance } from './sandbox/clock-advance.service.js';
import { DemoDataService } from './sandbox/demo-data.service.js';
import { PeopleResetService } from './sandbox/people-reset.service.js';
import { ResetSaga } from './sandbox/reset-saga.service.js';
import { SandboxClockService } from './sandbox/sandbox-clock.service.js';
import { SandboxResetService } from './sandbox/sandbox-reset.service.js';
import { SignUpService } from './sign-up.service.js';

/** What happens to an account as a whole: sign-up, erasure, and in the sandbox clock and reset. */
@Module({
  imports: [IdentityModule, PeopleModule],
  providers: [
    InstructorInvitationsService,
    SignUpService,
    AccountClosingService,
    AccountLifeService,
    ErasedMembersService,
    ErasureSaga,
    ErasuresRepository,
    PeopleErasureService,
    AccountClocksRepository,
    AccountResetsRepository,
    AccountResetsService,
    ClockAdvance,
    DemoDataService,
    PeopleResetService,
    ResetSaga,
    SandboxClockService,
    SandboxResetService,
  ],
  exports: [AccountClocksRepository],
})
export class LifecycleModule {}

import { Module } from '@nestjs/common';
import { AccountClocksRepository } from './account-clocks.repository.js';
import { AccountClocksService } from './account-clocks.service.js';
import { AccountLifeService } from './account-life.service.js';
import { AccountResetsRepository } from './account-resets.repository.js';
import { AccountResetsService } from './account-resets.service.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ClockAdvance } from './clock-advance.service.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { SandboxClockService } from './sandbox-clock.service.js';

/** Accounts of schools and families, from sign-up to erasure. */
@Module({
  providers: [
    AccountsService,
    AccountLifeService,
    EmailConfirmationService,
    AccountsRepository,
    AccountClocksService,
    AccountClocksRepository,
    SandboxClockService,
    ClockAdvance,
    AccountResetsService,
    AccountResetsRepository,
  ],
  exports: [
    AccountsService,
    AccountLifeService,
    EmailConfirmationService,
    AccountClocksService,
    AccountResetsService,
    SandboxClockService,
  ],
})
export class AccountsModule {}

import { Module } from '@nestjs/common';
import { AccountLifeService } from './account-life.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { EmailConfirmationController } from './email-confirmation.controller.js';
import { EmailConfirmationService } from './email-confirmation.service.js';

/** Accounts of schools and families, from sign-up to erasure. */
@Module({
  controllers: [AccountsController, EmailConfirmationController],
  providers: [AccountsService, AccountLifeService, EmailConfirmationService, AccountsRepository],
  exports: [AccountsService, AccountLifeService],
})
export class AccountsModule {}

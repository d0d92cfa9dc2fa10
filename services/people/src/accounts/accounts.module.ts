import { Module } from '@nestjs/common';
import { AccountLifeService } from './account-life.service.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';

/** Accounts of schools and families, from sign-up to erasure. */
@Module({
  controllers: [AccountsController],
  providers: [AccountsService, AccountLifeService, AccountsRepository],
  exports: [AccountsService, AccountLifeService],
})
export class AccountsModule {}

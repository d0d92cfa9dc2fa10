import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SecondFactorsModule } from '../second-factors/second-factors.module.js';
import { OwnersRepository } from './owners.repository.js';
import { OwnersService } from './owners.service.js';
import { PasswordsService } from './passwords.service.js';
import { RolesService } from './roles.service.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** Users of the dashboard: who they are, their roles and passwords. */
@Module({
  imports: [AccountsModule, SecondFactorsModule],
  providers: [UsersService, RolesService, UsersRepository, OwnersService, OwnersRepository, PasswordsService],
  exports: [UsersService, RolesService],
})
export class UsersModule {}

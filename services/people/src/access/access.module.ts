import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccessRepository } from './access.repository.js';
import { AccessService } from './access.service.js';
import { KeyEndsService } from './key-ends.service.js';
import { KeyInvalidationService } from './key-invalidation.service.js';
import { KeySecretsService } from './key-secrets.service.js';
import { KeysService } from './keys.service.js';
import { RequesterService } from './requester.service.js';

/** API keys: creates, changes, verifies and revokes them. */
@Module({
  imports: [AccountsModule, UsersModule, SignInModule],
  providers: [
    AccessService,
    KeysService,
    KeySecretsService,
    KeyInvalidationService,
    KeyEndsService,
    RequesterService,
    AccessRepository,
  ],
  exports: [KeyEndsService, KeysService],
})
export class AccessModule {}

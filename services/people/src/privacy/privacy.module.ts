import { type DynamicModule, Module } from '@nestjs/common';
import { DataKeys, FreeTexts, KEY_WRAPPING } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccountKeys } from './account-keys.service.js';
import { CommentsService } from './comments.service.js';
import { PrivacyRepository } from './privacy.repository.js';
import { PrivacyService } from './privacy.service.js';
import { UserTextsService } from './user-texts.service.js';

@Module({})
export class PrivacyModule {
  /** Encrypts personal data with a key per account and, wrapped by it, per member; these master keys wrap the account keys. */
  static under(masterKeys: MasterKeys): DynamicModule {
    return {
      module: PrivacyModule,
      global: true,
      providers: [
        PrivacyService,
        CommentsService,
        UserTextsService,
        DataKeys,
        FreeTexts,
        AccountKeys,
        PrivacyRepository,
        { provide: KEY_WRAPPING, useExisting: AccountKeys },
        { provide: MasterKeys, useValue: masterKeys },
      ],
      exports: [PrivacyService, CommentsService, UserTextsService],
    };
  }
}

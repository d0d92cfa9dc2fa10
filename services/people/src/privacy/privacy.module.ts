import { type DynamicModule, Module } from '@nestjs/common';
import { DataKeys, FreeTexts, KEY_WRAPPING } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccountKeys } from './account-keys.service.js';
import { CommentsService } from './comments.service.js';
import { PrivacyRepository } from './privacy.repository.js';
import { PrivacyService } from './privacy.service.js';

@Module({})
export class PrivacyModule {
  /** Encrypts personal data under a key for each account and, beneath it, for each member; wrapped by these master keys. */
  static under(masterKeys: MasterKeys): DynamicModule {
    return {
      module: PrivacyModule,
      global: true,
      providers: [
        PrivacyService,
        CommentsService,
        DataKeys,
        FreeTexts,
        AccountKeys,
        PrivacyRepository,
        { provide: KEY_WRAPPING, useExisting: AccountKeys },
        { provide: MasterKeys, useValue: masterKeys },
      ],
      exports: [PrivacyService, CommentsService],
    };
  }
}

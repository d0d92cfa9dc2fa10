import { type DynamicModule, Module } from '@nestjs/common';
import type { MasterKeys } from '@swim/platform';
import { DataKeys } from './data-keys.js';
import { ErasedMembers } from './erased-members.js';
import { FreeTexts } from './free-texts.js';
import { KEY_WRAPPING, underMasterKeys } from './key-wrapping.js';

@Module({})
export class MemberKeysModule {
  /** Provides a key per member, wrapped by the service's own master keys, and the list of erased members. */
  static under(masterKeys: MasterKeys): DynamicModule {
    const providers = [FreeTexts, DataKeys, ErasedMembers];
    return {
      module: MemberKeysModule,
      global: true,
      providers: [...providers, { provide: KEY_WRAPPING, useValue: underMasterKeys(masterKeys) }],
      exports: providers,
    };
  }
}

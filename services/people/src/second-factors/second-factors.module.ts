import { Module } from '@nestjs/common';
import { FactorsRepository } from './factors.repository.js';
import { FactorsService } from './factors.service.js';
import { PasskeysService } from './passkeys.service.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

/** Second factors of users: authenticator apps, passkeys and recovery codes. */
@Module({
  providers: [FactorsService, PasskeysService, RecoveryCodesService, FactorsRepository],
  exports: [FactorsService, PasskeysService],
})
export class SecondFactorsModule {}

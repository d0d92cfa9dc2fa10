import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AccountResetService } from './account-reset.service.js';

/** Resets of test accounts. */
@Module({
  imports: [PaymentsModule, MethodsModule],
  providers: [AccountResetService],
})
export class SandboxModule {}

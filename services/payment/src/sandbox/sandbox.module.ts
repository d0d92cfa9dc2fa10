import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AccountResetService } from './account-reset.service.js';
import { SandboxController } from './sandbox.controller.js';

/** Resets of test accounts. */
@Module({
  imports: [PaymentsModule, MethodsModule],
  controllers: [SandboxController],
  providers: [AccountResetService],
})
export class SandboxModule {}

import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AccountErasureService } from './account-erasure.service.js';

/** Erasure of an account in payment. */
@Module({
  imports: [PaymentsModule, MethodsModule],
  providers: [AccountErasureService],
})
export class AccountErasureModule {}

import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';
import { MemberErasureService } from './member-erasure.service.js';

/** What happens to an account or a member as a whole: erasure, and the reset of a test account. */
@Module({
  imports: [PaymentsModule, MethodsModule, RefundsModule],
  providers: [AccountErasureService, AccountResetService, MemberErasureService],
})
export class LifecycleModule {}

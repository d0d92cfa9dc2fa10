import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { MemberErasureService } from './member-erasure.service.js';

/** Erasure of a member in payment. */
@Module({
  imports: [PaymentsModule, RefundsModule],
  providers: [MemberErasureService],
})
export class MemberErasureModule {}

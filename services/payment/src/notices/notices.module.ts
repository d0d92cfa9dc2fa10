import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProcessorModule } from '../processor/processor.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { NoticesService } from './notices.service.js';

/** Notices of payment processors: webhooks. */
@Module({
  imports: [ProcessorModule, PaymentsModule, RefundsModule],
  providers: [NoticesService],
})
export class NoticesModule {}

import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProcessorModule } from '../processor/processor.module.js';
import { RefundRun } from './refund-run.service.js';
import { RefundsRepository } from './refunds.repository.js';
import { RefundsService } from './refunds.service.js';

/** Refunds of payments, and their recovery. */
@Module({
  imports: [ProcessorModule, PaymentsModule],
  providers: [RefundsService, RefundRun, RefundsRepository],
  exports: [RefundsService],
})
export class RefundsModule {}

import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProcessorModule } from '../processor/processor.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { AuthenticationsService } from './authentications.service.js';
import { NoticesService } from './notices.service.js';

/** Notices of payment processors: webhooks, and what cardholders do in the sandbox. */
@Module({
  imports: [ProcessorModule, PaymentsModule, RefundsModule],
  providers: [NoticesService, AuthenticationsService],
})
export class NoticesModule {}

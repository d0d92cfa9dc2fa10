import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { ProcessorModule } from '../processor/processor.module.js';
import { AccountErasureController } from './account-erasure.controller.js';
import { AccountErasureService } from './account-erasure.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { Recoverer } from './recoverer.service.js';

/** Payments of bookings, their recovery, and erasure of their accounts. */
@Module({
  imports: [ProcessorModule, MethodsModule],
  controllers: [PaymentsController, AccountErasureController],
  providers: [PaymentsService, PaymentRun, Recoverer, BookingLedger, AccountErasureService, PaymentsRepository],
})
export class PaymentsModule {}

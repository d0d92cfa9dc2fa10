import { Module } from '@nestjs/common';
import { MethodsModule } from '../methods/methods.module.js';
import { ProcessorModule } from '../processor/processor.module.js';
import { BookingLedger } from './booking-ledger.service.js';
import { DisputesService } from './disputes.service.js';
import { EndingsService } from './endings.service.js';
import { MethodRemovalService } from './method-removal.service.js';
import { PaymentMetadataRepository } from './payment-metadata.repository.js';
import { PaymentRun } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';

/** Payments of bookings, and their recovery. */
@Module({
  imports: [ProcessorModule, MethodsModule],
  providers: [
    PaymentsService,
    EndingsService,
    PaymentRun,
    DisputesService,
    BookingLedger,
    PaymentsRepository,
    PaymentMetadataRepository,
    MethodRemovalService,
  ],
  exports: [MethodRemovalService, PaymentsService, EndingsService, DisputesService, BookingLedger],
})
export class PaymentsModule {}

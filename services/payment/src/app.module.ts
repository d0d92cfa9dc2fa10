import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { MethodsController } from './methods/methods.controller.js';
import { MethodsRepository } from './methods/methods.repository.js';
import { MethodsService } from './methods/methods.service.js';
import { BookingLedger } from './payments/booking-ledger.service.js';
import { PAYMENT_LEASE_MS } from './payments/payment.schema.js';
import { PaymentRun, PROCESSOR_TIMEOUT_MS } from './payments/payment-run.service.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsRepository } from './payments/payments.repository.js';
import { PaymentsService } from './payments/payments.service.js';
import { Recoverer } from './payments/recoverer.service.js';
import { Processors } from './processor/processors.service.js';
import { SandboxRepository } from './processor/sandbox.repository.js';
import { SANDBOX_SETTLING_MS, SimulatorAdapter } from './processor/simulator.adapter.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [MethodsController, PaymentsController],
  providers: [
    MethodsService,
    MethodsRepository,
    PaymentsService,
    PaymentRun,
    Recoverer,
    BookingLedger,
    PaymentsRepository,
    Processors,
    SimulatorAdapter,
    SandboxRepository,
    { provide: PAYMENT_LEASE_MS, useValue: config.PAYMENT_LEASE_MS },
    { provide: PROCESSOR_TIMEOUT_MS, useValue: config.PROCESSOR_TIMEOUT_MS },
    { provide: SANDBOX_SETTLING_MS, useValue: config.SANDBOX_SETTLING_MS },
  ],
})
export class AppModule {}

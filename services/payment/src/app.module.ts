import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { MethodsController } from './methods/methods.controller.js';
import { MethodsRepository } from './methods/methods.repository.js';
import { MethodsService } from './methods/methods.service.js';
import { AccountErasureController } from './payments/account-erasure.controller.js';
import { AccountErasureService } from './payments/account-erasure.service.js';
import { BookingLedger } from './payments/booking-ledger.service.js';
import { PaymentRun } from './payments/payment-run.service.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsRepository } from './payments/payments.repository.js';
import { PaymentsService } from './payments/payments.service.js';
import { Recoverer } from './payments/recoverer.service.js';
import { Processors } from './processor/processors.service.js';
import { SandboxRepository } from './processor/sandbox.repository.js';
import { SimulatorAdapter } from './processor/simulator.adapter.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [MethodsController, PaymentsController, AccountErasureController],
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
    AccountErasureService,
  ],
})
export class AppModule {}

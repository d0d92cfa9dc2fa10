import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { MethodsModule } from './methods/methods.module.js';
import { PaymentsModule } from './payments/payments.module.js';

@Module({
  imports: [MongoModule.forService(config), MethodsModule, PaymentsModule],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { MemberKeysModule, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { MethodsModule } from './methods/methods.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { RefundsModule } from './refunds/refunds.module.js';

@Module({
  imports: [
    MongoModule.forService(config, COLLECTIONS),
    MemberKeysModule.under(new MasterKeys('payment', config)),
    MethodsModule,
    PaymentsModule,
    RefundsModule,
    NoticesModule,
    LifecycleModule,
  ],
})
export class AppModule {}

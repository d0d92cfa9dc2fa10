import { Module } from '@nestjs/common';
import { MemberKeysModule, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccountErasureModule } from './account-erasure/account-erasure.module.js';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { MemberErasureModule } from './member-erasure/member-erasure.module.js';
import { MethodsModule } from './methods/methods.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { SandboxModule } from './sandbox/sandbox.module.js';

@Module({
  imports: [
    MongoModule.forService(config, COLLECTIONS),
    MemberKeysModule.under(new MasterKeys('payment', config.DATA_KEY, config.DATA_KEYS_ALSO_READ)),
    MethodsModule,
    PaymentsModule,
    RefundsModule,
    NoticesModule,
    AccountErasureModule,
    MemberErasureModule,
    SandboxModule,
  ],
})
export class AppModule {}

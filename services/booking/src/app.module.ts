import { Module } from '@nestjs/common';
import { MemberKeysModule, MongoModule } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { AccountErasureModule } from './account-erasure/account-erasure.module.js';
import { BookingsModule } from './bookings/bookings.module.js';
import { config } from './config.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { StatementsModule } from './statements/statements.module.js';

@Module({
  imports: [
    MongoModule.forService(config),
    MemberKeysModule.under(new MasterKeys('booking', config.DATA_KEY, config.DATA_KEYS_ALSO_READ)),
    BookingsModule,
    StatementsModule,
    AccountErasureModule,
    SandboxModule,
  ],
})
export class AppModule {}

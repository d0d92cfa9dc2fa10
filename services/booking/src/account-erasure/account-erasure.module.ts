import { Module } from '@nestjs/common';
import { AccountErasureController } from './account-erasure.controller.js';
import { AccountErasureService } from './account-erasure.service.js';

/** What the erasure of an account does with its bookings. */
@Module({
  controllers: [AccountErasureController],
  providers: [AccountErasureService],
})
export class AccountErasureModule {}

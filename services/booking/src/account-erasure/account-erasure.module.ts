import { Module } from '@nestjs/common';
import { AccountErasureController } from './account-erasure.controller.js';
import { AccountErasureService } from './account-erasure.service.js';

/** Erasure of an account's bookings. */
@Module({
  controllers: [AccountErasureController],
  providers: [AccountErasureService],
})
export class AccountErasureModule {}

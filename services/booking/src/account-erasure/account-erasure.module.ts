import { Module } from '@nestjs/common';
import { AccountErasureService } from './account-erasure.service.js';

/** Erasure of an account's bookings. */
@Module({
  providers: [AccountErasureService],
})
export class AccountErasureModule {}

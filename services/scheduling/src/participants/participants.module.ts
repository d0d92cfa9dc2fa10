import { Module } from '@nestjs/common';
import { PoolsModule } from '../pools/pools.module.js';
import { ParticipantsService } from './participants.service.js';

/** Who may take part in a session, and where. */
@Module({
  imports: [PoolsModule],
  providers: [ParticipantsService],
  exports: [ParticipantsService],
})
export class ParticipantsModule {}

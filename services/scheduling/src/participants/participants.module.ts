import { Module } from '@nestjs/common';
import { PoolsModule } from '../pools/pools.module.js';
import { ParticipantResolverService } from './participant-resolver.service.js';

/** Who may take part in a session, and where. */
@Module({
  imports: [PoolsModule],
  providers: [ParticipantResolverService],
  exports: [ParticipantResolverService],
})
export class ParticipantsModule {}

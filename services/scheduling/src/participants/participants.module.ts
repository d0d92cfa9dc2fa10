import { Module } from '@nestjs/common';
import { PoolsModule } from '../pools/pools.module.js';
import { ConnectionEndsRepository } from './connection-ends.repository.js';
import { ConnectionsService } from './connections.service.js';
import { ParticipantResolverService } from './participant-resolver.service.js';

/** Who may take part in a session, and where. */
@Module({
  imports: [PoolsModule],
  providers: [ParticipantResolverService, ConnectionEndsRepository, ConnectionsService],
  exports: [ParticipantResolverService, ConnectionsService],
})
export class ParticipantsModule {}

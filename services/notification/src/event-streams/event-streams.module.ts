import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { EventStreamsRepository } from './event-streams.repository.js';
import { EventStreamsService } from './event-streams.service.js';

/** Streams of an account's events, which gateways serve: at most 20 at a time. */
@Module({
  imports: [EventsModule],
  providers: [EventStreamsService, EventStreamsRepository],
})
export class EventStreamsModule {}

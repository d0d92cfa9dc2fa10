import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { EventStreamsController } from './event-streams.controller.js';
import { EventStreamsRepository } from './event-streams.repository.js';
import { EventStreamsService } from './event-streams.service.js';

/** Streams of an account's events, which gateways serve: at most 20 at a time. */
@Module({
  imports: [EventsModule],
  controllers: [EventStreamsController],
  providers: [EventStreamsService, EventStreamsRepository],
})
export class EventStreamsModule {}

import { Module } from '@nestjs/common';
import { StreamCareService } from './stream-care.service.js';
import { StreamsController } from './streams.controller.js';

/** The event streams of NATS, which this service creates and monitors. */
@Module({
  controllers: [StreamsController],
  providers: [StreamCareService],
})
export class StreamsModule {}

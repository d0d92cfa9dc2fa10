import { Module } from '@nestjs/common';
import { StreamCareService } from './stream-care.service.js';

/** The event streams of NATS, which this service purges and monitors. */
@Module({ providers: [StreamCareService] })
export class StreamsModule {}

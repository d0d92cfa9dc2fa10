import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { EventsModule } from './events/events.module.js';
import { StreamsModule } from './streams/streams.module.js';

@Module({
  imports: [MongoModule.forService(config), EventsModule, StreamsModule],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { RequestLogRepository } from './request-log.repository.js';
import { RequestLogService } from './request-log.service.js';

/** The log of an account's requests, which gateways hand over. */
@Module({
  imports: [EventsModule],
  providers: [RequestLogService, RequestLogRepository],
})
export class RequestLogModule {}

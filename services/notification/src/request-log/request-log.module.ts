import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { RequestLogController } from './request-log.controller.js';
import { RequestLogRepository } from './request-log.repository.js';
import { RequestLogService } from './request-log.service.js';

/** The log of an account's requests, which gateways hand over. */
@Module({
  imports: [EventsModule],
  controllers: [RequestLogController],
  providers: [RequestLogService, RequestLogRepository],
})
export class RequestLogModule {}

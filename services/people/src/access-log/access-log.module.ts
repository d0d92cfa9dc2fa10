import { Module } from '@nestjs/common';
import { AccessLogRepository } from './access-log.repository.js';
import { AccessLogService } from './access-log.service.js';

/** The log of which key read which member. */
@Module({
  providers: [AccessLogService, AccessLogRepository],
  exports: [AccessLogService],
})
export class AccessLogModule {}

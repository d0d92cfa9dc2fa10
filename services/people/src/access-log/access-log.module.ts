import { Module } from '@nestjs/common';
import { AccessLogController } from './access-log.controller.js';
import { AccessLogRepository } from './access-log.repository.js';
import { AccessLogService } from './access-log.service.js';

/** The log of which key read which member. */
@Module({
  controllers: [AccessLogController],
  providers: [AccessLogService, AccessLogRepository],
  exports: [AccessLogService],
})
export class AccessLogModule {}

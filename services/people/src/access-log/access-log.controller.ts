import { Controller } from '@nestjs/common';
import { type AccessEntry, listAccessLog, type Page, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccessLogService } from './access-log.service.js';

@Controller()
export class AccessLogController {
  constructor(private readonly log: AccessLogService) {}

  @Serve(listAccessLog)
  async list(input: ParsedOf<typeof listAccessLog>, context: RequestContext): Promise<Page<AccessEntry>> {
    return this.log.list(input, context);
  }
}

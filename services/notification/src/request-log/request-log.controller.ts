import { Controller } from '@nestjs/common';
import {
  getRequest,
  listRequests,
  type Page,
  type ParsedOf,
  type RequestLogEntry,
  recordRequests,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { RequestLogService } from './request-log.service.js';

@Controller()
export class RequestLogController {
  constructor(private readonly log: RequestLogService) {}

  @Serve(recordRequests)
  async record(
    { answeredRequests }: ParsedOf<typeof recordRequests>,
    { principal }: RequestContext,
  ): Promise<Record<string, never>> {
    await this.log.record(principal.env, answeredRequests);
    return {};
  }

  @Serve(listRequests)
  list(query: ParsedOf<typeof listRequests>, context: RequestContext): Promise<Page<RequestLogEntry>> {
    return this.log.list(query, context);
  }

  @Serve(getRequest)
  get({ request_log_id }: ParsedOf<typeof getRequest>, context: RequestContext): Promise<RequestLogEntry> {
    return this.log.get(request_log_id, context);
  }
}

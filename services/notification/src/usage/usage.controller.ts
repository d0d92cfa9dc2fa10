import { Controller } from '@nestjs/common';
import { getUsage, type ParsedOf, recordUsage, type Usage } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { UsageService } from './usage.service.js';

@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Serve(recordUsage)
  async record(
    { usageCounts }: ParsedOf<typeof recordUsage>,
    { principal }: RequestContext,
  ): Promise<Record<string, never>> {
    await this.usage.record(principal.env, usageCounts);
    return {};
  }

  @Serve(getUsage)
  get(query: ParsedOf<typeof getUsage>, context: RequestContext): Promise<Usage> {
    return this.usage.get(query, context);
  }
}

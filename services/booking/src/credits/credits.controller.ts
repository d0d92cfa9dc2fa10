import { Controller } from '@nestjs/common';
import { type Credit, listCredits, type Page, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { CreditsService } from './credits.service.js';

@Controller()
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Serve(listCredits)
  list(query: ParsedOf<typeof listCredits>, context: RequestContext): Promise<Page<Credit>> {
    return this.credits.list(query, context);
  }
}

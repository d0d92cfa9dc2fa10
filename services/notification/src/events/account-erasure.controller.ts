import { Controller } from '@nestjs/common';
import { eraseEventsOfAccount, type ParsedOf, resetEvents } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';

@Controller()
export class AccountErasureController {
  constructor(
    private readonly erasure: AccountErasureService,
    private readonly resets: AccountResetService,
  ) {}

  @Serve(eraseEventsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseEventsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    return { done: await this.erasure.erase(accountId, context) };
  }

  @Serve(resetEvents)
  async reset(input: ParsedOf<typeof resetEvents>, context: RequestContext): Promise<{ done: boolean }> {
    return { done: await this.resets.reset(input, context) };
  }
}

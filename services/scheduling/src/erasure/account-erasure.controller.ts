import { Controller } from '@nestjs/common';
import { eraseTimesOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountErasureService } from './account-erasure.service.js';

@Controller()
export class AccountErasureController {
  constructor(private readonly erasure: AccountErasureService) {}

  @Serve(eraseTimesOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseTimesOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    return { done: await this.erasure.erase(accountId, context) };
  }
}

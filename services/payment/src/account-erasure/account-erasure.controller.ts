import { Controller } from '@nestjs/common';
import { erasePaymentsOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountErasureService } from './account-erasure.service.js';

@Controller()
export class AccountErasureController {
  constructor(private readonly erasure: AccountErasureService) {}

  @Serve(erasePaymentsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof erasePaymentsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    return { done: await this.erasure.erase(accountId, context) };
  }
}

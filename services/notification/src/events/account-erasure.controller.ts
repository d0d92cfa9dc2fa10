import { Controller } from '@nestjs/common';
import { eraseEventsOfAccount, eraseTextsOfEvents, type ParsedOf, resetEvents } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';
import { EventStorageService } from './event-storage.service.js';

@Controller()
export class AccountErasureController {
  constructor(
    private readonly erasure: AccountErasureService,
    private readonly resets: AccountResetService,
    private readonly storage: EventStorageService,
  ) {}

  @Serve(eraseEventsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseEventsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    return { done: await this.erasure.erase(accountId, context) };
  }

  @Serve(eraseTextsOfEvents)
  async eraseTexts(
    { payments }: ParsedOf<typeof eraseTextsOfEvents>,
    { principal }: RequestContext,
  ): Promise<{ done: boolean }> {
    return { done: await this.storage.eraseTexts(principal.env, payments) };
  }

  @Serve(resetEvents)
  async reset(input: ParsedOf<typeof resetEvents>, context: RequestContext): Promise<{ done: boolean }> {
    return { done: await this.resets.reset(input, context) };
  }
}

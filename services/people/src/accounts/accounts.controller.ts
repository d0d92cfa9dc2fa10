import { Controller } from '@nestjs/common';
import { type Account, exportAccount, getAccount, type OutputOf, type ParsedOf, updateAccount } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Serve(getAccount)
  async get(input: ParsedOf<typeof getAccount>, context: RequestContext): Promise<Account> {
    return this.accounts.get(input.account_id, context);
  }

  /** The account's own part: the gateway adds the lists. */
  @Serve(exportAccount)
  async export(
    input: ParsedOf<typeof exportAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof exportAccount>> {
    return { account: await this.accounts.get(input.account_id, context) };
  }

  @Serve(updateAccount)
  async update(input: ParsedOf<typeof updateAccount>, context: RequestContext): Promise<Account> {
    return this.accounts.update(input, context);
  }
}

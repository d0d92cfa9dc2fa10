import { Controller } from '@nestjs/common';
import { getAccount, type OutputOf, type ParsedOf } from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Serve(getAccount)
  async get(input: ParsedOf<typeof getAccount>, call: Call): Promise<OutputOf<typeof getAccount>> {
    return this.accounts.get(input.account_id, call);
  }
}

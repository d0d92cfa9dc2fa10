import { Controller } from '@nestjs/common';
import { type Account, getAccount, type ParsedOf, updateAccount } from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Serve(getAccount)
  async get(input: ParsedOf<typeof getAccount>, call: Call): Promise<Account> {
    return this.accounts.get(input.account_id, call);
  }

  @Serve(updateAccount)
  async update(input: ParsedOf<typeof updateAccount>, call: Call): Promise<Account> {
    return this.accounts.update(input, call);
  }
}

import { Injectable } from '@nestjs/common';
import type { Account, Environment } from '@swim/contracts';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { accountOf } from './account.mapper.js';
import type { AccountDocument } from './account.schema.js';
import { AccountsRepository } from './accounts.repository.js';
import { requireOwnAccount } from './accounts.service.js';

const CLOSING_MS = 7 * 86_400_000;

/** The states of an account's life: open, closing (live only), erasing, erased. */
@Injectable()
export class AccountLifeService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  /** When the erasure of the caller's account begins, if it were asked for now. */
  async endOf(id: string, context: RequestContext): Promise<Date> {
    const { erasesAt } = await this.getOwn(id, context);
    const now = this.clock.now();
    return erasesAt ?? (context.principal.env === 'live' ? new Date(now.getTime() + CLOSING_MS) : now);
  }

  /** Closes the account until `erasesAt`; answers until when it is closed, which whoever was first has said. */
  async close(id: string, erasesAt: Date, context: RequestContext): Promise<Date> {
    await this.accounts.markClosing(context.principal.env, id, erasesAt);
    return (await this.getOwn(id, context)).erasesAt ?? erasesAt;
  }

  /** Opens a closing account again, `invalid_state`; with a dry run it only says what it would be. */
  async reopen(id: string, context: RequestContext): Promise<Account> {
    const known = await this.getOwn(id, context);
    const now = this.clock.now();
    if (known.state !== 'closing' || !known.erasesAt || known.erasesAt <= now) throw new AppError('invalid_state');
    if (context.dryRun) return accountOf(known);
    if (!(await this.accounts.markReopened(context.principal.env, id, now))) throw new AppError('invalid_state');
    return accountOf(await this.getOwn(id, context));
  }

  /** From here on nothing is taken back. */
  async beginErasing(env: Environment, id: string): Promise<void> {
    await this.accounts.markErasing(env, id);
  }

  /** Accounts whose erasure is to begin, or has begun: none of them is taken back any more. */
  async findErasing(env: Environment): Promise<string[]> {
    const now = this.clock.now();
    const ids: string[] = [];
    for (const { _id, state } of await this.accounts.findEnding(env, now)) {
      if (state === 'erasing' || (await this.accounts.markErasing(env, _id, now))) ids.push(_id);
    }
    return ids;
  }

  /** Takes out of an account everything personal. Again is the same. */
  empty(env: Environment, id: string): Promise<void> {
    return this.accounts.empty(env, id);
  }

  private async getOwn(id: string, context: RequestContext): Promise<AccountDocument> {
    requireOwnAccount(id, context);
    const account = await this.accounts.findOwn(context.principal.env, id);
    if (!account) throw new AppError('resource_not_found');
    return account;
  }
}

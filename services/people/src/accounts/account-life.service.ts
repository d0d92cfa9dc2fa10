import { Injectable } from '@nestjs/common';
import type { Account, Environment } from '@swim/contracts';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { PrivacyService } from '../privacy/privacy.service.js';
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
    private readonly privacy: PrivacyService,
    private readonly clock: Clock,
  ) {}

  /** When the erasure of the account would begin, if it were requested now. */
  async endOf(id: string, context: RequestContext): Promise<Date> {
    const { erasesAt } = await this.getOwn(id, context);
    const now = this.clock.now();
    return erasesAt ?? (context.principal.env === 'live' ? new Date(now.getTime() + CLOSING_MS) : now);
  }

  /** Closes the account until `erasesAt`; returns the stored instant, which an earlier request may have set. */
  async close(id: string, erasesAt: Date, context: RequestContext): Promise<Date> {
    await this.accounts.markClosing(context.principal.env, id, erasesAt);
    return (await this.getOwn(id, context)).erasesAt ?? erasesAt;
  }

  /** Reopens a closing account, otherwise `invalid_state`; a dry run only returns the result. */
  async reopen(id: string, context: RequestContext): Promise<Account> {
    const known = await this.getOwn(id, context);
    const now = this.clock.now();
    if (known.state !== 'closing' || !known.erasesAt || known.erasesAt <= now) throw notClosing();
    if (context.dryRun) return accountOf(known);
    if (!(await this.accounts.markReopened(context.principal.env, id, now))) throw notClosing();
    return accountOf(await this.getOwn(id, context));
  }

  /** From here on the erasure cannot be undone. */
  async beginErasing(env: Environment, id: string): Promise<void> {
    await this.accounts.markErasing(env, id);
  }

  /** Accounts whose erasure is due or has begun: they can no longer be reopened. */
  findEnding(env: Environment): Promise<AccountDocument[]> {
    return this.accounts.findEnding(env, this.clock.now());
  }

  /** Begins the erasure of an account whose period for a restore is over; returns whether it has begun. Idempotent. */
  async beginDueErasing(env: Environment, { _id, state }: AccountDocument): Promise<boolean> {
    return state === 'erasing' || this.accounts.markErasing(env, _id, this.clock.now());
  }

  /** Destroys the key of the account's data, and removes the account's personal data. Idempotent. */
  async empty(env: Environment, id: string): Promise<void> {
    await this.privacy.forgetAccount(env, id);
    await this.accounts.empty(env, id);
  }

  private async getOwn(id: string, context: RequestContext): Promise<AccountDocument> {
    requireOwnAccount(id, context);
    const account = await this.accounts.findOwn(context.principal.env, id);
    if (!account) throw new AppError('resource_not_found');
    return account;
  }
}

const notClosing = (): AppError =>
  new AppError('invalid_state', {
    message: 'Only an account that is about to be erased can be restored; this one is not.',
  });

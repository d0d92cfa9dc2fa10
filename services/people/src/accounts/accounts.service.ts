import { Injectable } from '@nestjs/common';
import type { Account, AccountKind, Environment } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { accountOf } from './account.mapper.js';
import { type AccountPolicies, firstPolicies } from './account.rules.js';
import { AccountsRepository } from './accounts.repository.js';

/** What an account starts with. */
export interface NewAccount {
  id: string;
  name: string;
  email: string;
  kind: AccountKind;
  timezone: string;
  currency: string;
}

/** What other features ask of an account. */
export interface AccountFacts {
  id: string;
  kind: AccountKind;
  timezone: string;
  currency: string;
  policies: AccountPolicies | null;
}

/** Families, clubs and schools. */
@Injectable()
export class AccountsService {
  constructor(private readonly accounts: AccountsRepository) {}

  /** The caller's own account. */
  async get(accountId: string, call: Call): Promise<Account> {
    requireOwnAccount(accountId, call);
    const account = await this.accounts.findOwn(call.principal.env, accountId);
    if (!account) throw new AppError('resource_not_found');
    return accountOf(account);
  }

  /** Null when this environment has no such account. */
  async findFacts(env: Environment, accountId: string): Promise<AccountFacts | null> {
    const account = await this.accounts.findAny(env, accountId);
    if (!account) return null;
    const { _id: id, kind, timezone, currency, policies } = account;
    return { id, kind, timezone, currency, policies };
  }

  /** Opens an account with the policies of its kind; one that exists stays as it is. */
  async open(env: Environment, { id, ...fields }: NewAccount): Promise<void> {
    await this.accounts.insert(env, {
      _id: id,
      readers: [id],
      ...fields,
      policies: firstPolicies(fields.kind),
      createdAt: timeOfId(id),
    });
  }
}

/** Refuses with `foreign_account` an account named in the path that is not the caller's, whether or not it exists. */
export function requireOwnAccount(accountId: string, call: Call): void {
  if (accountId !== call.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
}

import { Injectable } from '@nestjs/common';
import {
  type Account,
  type AccountKind,
  type Environment,
  grants,
  type ParsedOf,
  type updateAccount,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { accountOf } from './account.mapper.js';
import { type AccountPolicies, firstPolicies, namedFields, namedPolicies } from './account.rules.js';
import type { AccountDocument } from './account.schema.js';
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
    return accountOf(await this.getOwn(accountId, call));
  }

  /** Changes the caller's own account; a school's policies take effect with it. */
  async update({ account_id: id, changes }: ParsedOf<typeof updateAccount>, call: Call): Promise<Account> {
    requireOwnAccount(id, call);
    if (changes.policies) requirePolicyScope(call);
    const account = await this.getOwn(id, call);
    if (changes.policies && !account.policies) throw new AppError('policies_of_school_only', { field: 'policies' });
    const fields = namedFields(changes);
    const policies = namedPolicies(changes.policies ?? {});
    if (call.dryRun)
      return accountOf({ ...account, ...fields, policies: account.policies && { ...account.policies, ...policies } });
    await this.accounts.markChanged(call.principal.env, id, fields, policies);
    return accountOf(await this.getOwn(id, call));
  }

  /** What is decided by an account as it is now; null when this environment has none. Policies are a school's, else null. */
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

  private async getOwn(accountId: string, call: Call): Promise<AccountDocument> {
    const account = await this.accounts.findOwn(call.principal.env, accountId);
    if (!account) throw new AppError('resource_not_found');
    return account;
  }
}

/** Policies govern who books with the school's instructors: whoever may change those may change them. */
function requirePolicyScope({ principal }: Call): void {
  const scope = 'instructors:write';
  if (grants(principal.scopes, scope)) return;
  throw new AppError('missing_scope', { message: `This API key lacks the scope ${scope}.`, details: { scope } });
}

/** Refuses with `foreign_account` an account named in the path that is not the caller's, whether or not it exists. */
export function requireOwnAccount(accountId: string, call: Call): void {
  if (accountId !== call.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
}

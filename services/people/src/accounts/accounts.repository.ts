import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { AccountPolicies } from './account.rules.js';
import { type AccountDocument, accountSchema } from './account.schema.js';

@Injectable()
export class AccountsRepository extends Repository<AccountDocument> {
  constructor(databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** An account as itself sees it. */
  async findOwn(env: Environment, accountId: string): Promise<AccountDocument | null> {
    return this.lookUp({ env, accountId }, accountId);
  }

  /** Any account, for what its kind and policies decide about others. */
  async findAny(env: Environment, accountId: string): Promise<AccountDocument | null> {
    return this.lookUp(asSystem(env, 'kind and policies of an account govern what others may do'), accountId);
  }

  /** Stores an account; one that exists stays as it is. */
  async insert(env: Environment, account: AccountDocument): Promise<void> {
    await this.tryInsert(asSystem(env, 'a new document names its readers itself'), account);
  }

  /** Sets what is named, and of the policies those that are named: changes of different things do not undo each other. */
  async markChanged(
    env: Environment,
    accountId: string,
    fields: Partial<Pick<AccountDocument, 'name' | 'email' | 'timezone'>>,
    policies: Partial<AccountPolicies>,
  ): Promise<void> {
    const named = Object.entries(policies).map(([name, value]) => [`policies.${name}`, value]);
    await this.update({ env, accountId }, { _id: accountId }, { $set: { ...fields, ...Object.fromEntries(named) } });
  }
}

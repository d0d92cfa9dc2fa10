import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import type { AccountPolicies } from './account.rules.js';
import { type AccountDocument, accountSchema } from './account.schema.js';

const MOST_ENDING = 100;
// The schema wants some text.
const ERASED = 'erased';

const ending = (env: Environment) => asSystem(env, 'what ends an account has nobody who asks for it any more');

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

  /** Those of these accounts whose erasure has begun. */
  async findErasedAmong(env: Environment, accountIds: readonly string[]): Promise<string[]> {
    const erased = { _id: { $in: [...accountIds] }, state: { $in: ['erasing', 'erased'] } };
    return (await this.findMany(ending(env), erased, {}, accountIds.length)).map(({ _id }) => _id);
  }

  /** open → closing, until `erasesAt`; one that is closing or more already stays as it is. */
  async markClosing(env: Environment, accountId: string, erasesAt: Date): Promise<void> {
    await this.update({ env, accountId }, { _id: accountId, state: null }, { $set: { state: 'closing', erasesAt } });
  }

  /** closing → open, unless its time was over at `now`; whether it did. */
  markReopened(env: Environment, accountId: string, now: Date): Promise<boolean> {
    const open = { _id: accountId, state: 'closing', erasesAt: { $gt: now } };
    return this.update({ env, accountId }, open, { $unset: { state: 1, erasesAt: 1 } });
  }

  /** open → erasing, at once, or closing → erasing where its time is over at `now`; whether it did. */
  markErasing(env: Environment, accountId: string, now?: Date): Promise<boolean> {
    const from = now ? { state: 'closing', erasesAt: { $lte: now } } : { state: null };
    return this.update(ending(env), { _id: accountId, ...from }, { $set: { state: 'erasing' } });
  }

  /** Accounts whose time to be restored is over at `now`, and those whose erasure has begun. */
  findEnding(env: Environment, now: Date): Promise<AccountDocument[]> {
    const over = [{ state: 'erasing' }, { state: 'closing', erasesAt: mongoose.trusted({ $lte: now }) }];
    return this.findMany(ending(env), { $or: over }, {}, MOST_ENDING);
  }

  /** Takes out of an account all but what lessons of others were booked by; nobody reads it from then on. Again is the same. */
  async empty(env: Environment, accountId: string): Promise<void> {
    const known = await this.lookUp(ending(env), accountId);
    if (!known || known.state === 'erased') return;
    const { _id, kind, currency, policies, createdAt } = known;
    const rest = { kind, currency, policies, createdAt, state: 'erased', readers: [], timezone: 'UTC' };
    const options = { asSystem: 'an erasure' } as object;
    // Replaced as a whole, so that a field that is added later goes as well.
    await this.model(ending(env)).replaceOne({ _id }, { ...rest, name: ERASED, email: ERASED }, options);
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

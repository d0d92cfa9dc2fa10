import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import type { AccountPolicies } from './account.rules.js';
import { type AccountDocument, accountSchema } from './account.schema.js';

const MOST_ENDING = 100;
// The schema requires a text.
const ERASED = 'erased';

const ending = (env: Environment) => asSystem(env, 'the erasure of an account runs without a request');

@Injectable()
export class AccountsRepository extends Repository<AccountDocument> {
  constructor(databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** The requesting account. */
  async findOwn(env: Environment, accountId: string): Promise<AccountDocument | null> {
    return this.lookUp({ env, accountId }, accountId);
  }

  /** Any account, for decisions that depend on its kind and policies. */
  async findAny(env: Environment, accountId: string): Promise<AccountDocument | null> {
    return this.lookUp(asSystem(env, 'kind and policies of an account govern what others may do'), accountId);
  }

  /** Those of these accounts whose erasure has begun. */
  async findErasedAmong(env: Environment, accountIds: readonly string[]): Promise<string[]> {
    const found = await this.lookUpAll(ending(env), accountIds);
    return found.filter(({ state }) => state === 'erasing' || state === 'erased').map(({ _id }) => _id);
  }

  /** open → closing, until `erasesAt`; an account in a later state stays unchanged. */
  async markClosing(env: Environment, accountId: string, erasesAt: Date): Promise<void> {
    await this.update({ env, accountId }, { _id: accountId, state: null }, { $set: { state: 'closing', erasesAt } });
  }

  /** closing → open, unless its period was over at `now`; returns whether it did. */
  markReopened(env: Environment, accountId: string, now: Date): Promise<boolean> {
    const open = { _id: accountId, state: 'closing', erasesAt: { $gt: now } };
    return this.update({ env, accountId }, open, { $unset: { state: 1, erasesAt: 1 } });
  }

  /** open → erasing at once, or closing → erasing when its period is over at `now`; returns whether it did. */
  markErasing(env: Environment, accountId: string, now?: Date): Promise<boolean> {
    const from = now ? { state: 'closing', erasesAt: { $lte: now } } : { state: null };
    return this.update(ending(env), { _id: accountId, ...from }, { $set: { state: 'erasing' } });
  }

  /** Accounts whose period for a restore is over at `now`, and those whose erasure has begun. */
  findEnding(env: Environment, now: Date): Promise<AccountDocument[]> {
    const over = [{ state: 'erasing' }, { state: 'closing', erasesAt: mongoose.trusted({ $lte: now }) }];
    // States the condition of the partial index, which is used only then.
    return this.findMany(ending(env), { state: { $type: 'string' }, $or: over }, {}, MOST_ENDING);
  }

  /**
   * Removes all fields of an account but those that existing bookings of others depend on; it has no readers from then on.
   * Idempotent.
   */
  async empty(env: Environment, accountId: string): Promise<void> {
    const known = await this.lookUp(ending(env), accountId);
    if (!known || known.state === 'erased') return;
    const { _id, kind, currency, policies, createdAt } = known;
    const rest = { kind, currency, policies, createdAt, state: 'erased', readers: [], timezone: 'UTC' };
    const options = { asSystem: 'an erasure' } as object;
    // Replaced as a whole, so that fields added later are removed too.
    await this.model(ending(env)).replaceOne({ _id }, { ...rest, name: ERASED, email: ERASED }, options);
  }

  /** Stores an account; an existing one stays unchanged. */
  async insert(env: Environment, account: AccountDocument): Promise<void> {
    await this.tryInsert(asSystem(env, 'a new document names its readers itself'), account);
  }

  /** Sets the given fields and the given policies one by one: concurrent changes of different fields do not undo each other. */
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

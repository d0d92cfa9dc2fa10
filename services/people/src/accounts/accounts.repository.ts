import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type AccountPolicies, MOST_CONFIRMATIONS, policiesOfErased } from './account.rules.js';
import { type AccountDocument, accountSchema, type PendingEmail } from './account.schema.js';

const MOST_ENDING = 100;
const MOST_UNSENT = 100;
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

  /** Any accounts, for what messages need of them. */
  findAll(env: Environment, accountIds: readonly string[]): Promise<AccountDocument[]> {
    return this.lookUpAll(asSystem(env, 'messages are sent to all accounts'), accountIds);
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
    const due = { state: { $type: 'string' }, $or: over };
    return this.findWork(ending(env), 'ending', () => this.findMany(ending(env), due, {}, MOST_ENDING));
  }

  /**
   * Removes all fields of an account but those that existing bookings of others depend on; it has no readers from then on.
   * Idempotent.
   */
  async empty(env: Environment, accountId: string): Promise<void> {
    const known = await this.lookUp(ending(env), accountId);
    if (!known || known.state === 'erased') return;
    const { _id, kind, currency, policies, createdAt } = known;
    const rest = {
      kind,
      currency,
      policies: policiesOfErased(policies),
      createdAt,
      state: 'erased',
      readers: [],
      timezone: 'UTC',
    };
    const options = { asSystem: 'an erasure' } as object;
    // Replaced as a whole, so that fields added later are removed too.
    await this.model(ending(env)).replaceOne({ _id }, { ...rest, name: ERASED, email: ERASED }, options);
  }

  /** Stores an account; an existing one stays unchanged. */
  async insert(env: Environment, account: AccountDocument): Promise<void> {
    await this.tryInsert(asSystem(env, 'a new document names its readers itself'), account);
  }

  /**
   * Stores an address that is to be confirmed, and that its link is to be sent. False when MOST_CONFIRMATIONS links were
   * requested since `limitSince`.
   */
  setPendingEmail(
    env: Environment,
    accountId: string,
    pendingEmail: PendingEmail,
    { now, limitSince }: { now: Date; limitSince: Date },
  ): Promise<boolean> {
    const mayRequest = [
      { [`confirmations.${MOST_CONFIRMATIONS - 1}`]: mongoose.trusted({ $exists: false }) },
      { 'confirmations.0': mongoose.trusted({ $lte: limitSince }) },
    ];
    const change = {
      $set: { pendingEmail, confirmationDueAt: now },
      $push: { confirmations: { $each: [now], $slice: -MOST_CONFIRMATIONS } },
    };
    return this.update({ env, accountId }, { _id: accountId, $or: mayRequest }, change);
  }

  /** Removes the address that is to be confirmed: its link is valid no longer. */
  async dropPendingEmail(env: Environment, accountId: string): Promise<void> {
    const change = { $unset: { pendingEmail: 1, confirmationDueAt: 1 } };
    await this.update({ env, accountId }, { _id: accountId }, change);
  }

  /** Makes a pending address the account's, if it is still to be confirmed; returns whether it was. */
  confirmEmail(env: Environment, accountId: string, { id, address }: PendingEmail, now: Date): Promise<boolean> {
    const isCurrent = { 'pendingEmail.id': id, 'pendingEmail.expiresAt': mongoose.trusted({ $gt: now }) };
    const change = {
      $set: { email: address, emailConfirmedAt: now, confirmedBy: id },
      $unset: { pendingEmail: 1, confirmationDueAt: 1 },
    };
    const scope = asSystem(env, 'the token of the link names the account');
    return this.update(scope, { _id: accountId, ...isCurrent, state: mongoose.trusted({ $ne: 'erased' }) }, change);
  }

  /** Records that this address of an account is confirmed, unless the account has another one by now. */
  async markConfirmed(env: Environment, accountId: string, email: string, now: Date): Promise<void> {
    await this.update({ env, accountId }, { _id: accountId, email }, { $set: { emailConfirmedAt: now } });
  }

  /** Accounts whose link is to be sent. */
  findUnsentConfirmations(env: Environment, now: Date): Promise<AccountDocument[]> {
    const scope = asSystem(env, 'links to confirm addresses are sent to all accounts');
    return this.findDueBy(scope, 'confirmationDueAt', now, MOST_UNSENT);
  }

  /** Sets when a link is to be sent, or that it is, unless another one was requested since. */
  async markConfirmationSent(
    env: Environment,
    { _id, pendingEmail }: AccountDocument,
    next: Date | null,
  ): Promise<void> {
    const scope = asSystem(env, 'links to confirm addresses are sent to all accounts');
    const change = next ? { $set: { confirmationDueAt: next } } : { $unset: { confirmationDueAt: 1 } };
    await this.update(scope, { _id, 'pendingEmail.id': pendingEmail?.id ?? null }, change);
  }

  /**
   * Sets the given fields and the given policies one by one: concurrent changes of different fields do not undo each other.
   * Metadata is set only if it is as it was read in `before`; otherwise nothing is, and the result is false.
   */
  async markChanged(
    env: Environment,
    { _id, metadata }: Pick<AccountDocument, '_id' | 'metadata'>,
    fields: Partial<Pick<AccountDocument, 'name' | 'timezone' | 'locale' | 'metadata'>>,
    policies: Partial<AccountPolicies>,
  ): Promise<boolean> {
    const named = Object.entries(policies).map(([name, value]) => [`policies.${name}`, value]);
    const asRead = fields.metadata === undefined ? {} : { metadata: metadata ? { $eq: metadata } : null };
    const set = { ...fields, ...Object.fromEntries(named) };
    if (Object.keys(set).length === 0) return true;
    return this.update({ env, accountId: _id }, { _id, ...asRead }, { $set: set });
  }
}

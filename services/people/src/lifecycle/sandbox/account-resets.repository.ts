import { Injectable } from '@nestjs/common';
import { asSystem, Databases, onceFor, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { firstPolicies } from '../../identity/accounts/account.rules.js';
import {
  type AccountClock,
  type AccountDocument,
  type AccountReset,
  accountSchema,
} from '../../identity/accounts/account.schema.js';
import { RESET_STEPS } from './reset.rules.js';

/** What is stored with the account as the answer of a reset. */
export const RESET = 'reset';
const LEASE_MS = 15_000;
const PAGE = 1_000;
const MOST_PENDING = 100_000;
const REAL: AccountClock = { offsetMs: 0, fromMs: 0, targetMs: null, roundsLeft: 0 };
// An account whose erasure has begun is no longer reset.
const OPEN = { state: { $exists: false } };
// Resets exist in the sandbox only.
const REASON = 'a reset continues without a request';
const SANDBOX = asSystem('test', REASON);

/** Storage of the resets of test accounts, in their documents: the same write sets the clock back, or finds it advancing. */
@Injectable()
export class AccountResetsRepository extends Repository<AccountDocument> {
  readonly unfinished = this.work({
    name: 'sandbox resets',
    due: 'resetDueAt',
    reason: REASON,
    leaseMs: LEASE_MS,
    where: OPEN,
    environments: ['test'],
    atOnce: 20,
  });

  constructor(private readonly databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(accountId: string): Promise<AccountDocument | null> {
    return this.lookUp(SANDBOX, accountId);
  }

  /**
   * Begins a reset of an account that is as it was read: stores the reset, sets the clock back, and policies and metadata to those
   * of a new account, once for the request. Returns the account, which the caller has for a lease; null when it has changed since.
   */
  async begin(account: AccountDocument, reset: AccountReset, context: RequestContext): Promise<AccountDocument | null> {
    const { _id, kind, clock, clockDueAt = null, reset: former } = account;
    const asRead = {
      // A run of the former clock finds no due date of its own any more.
      ...(clock ? { 'clock.offsetMs': clock.offsetMs, 'clock.targetMs': clock.targetMs, clockDueAt } : { clock: null }),
      ...(former ? { 'reset.before': former.before } : { reset: null }),
    };
    const resetDueAt = this.databases.clock.inMs(LEASE_MS);
    const set = { reset, resetDueAt, clock: REAL, policies: firstPolicies(kind) };
    const update = { $set: set, $unset: { metadata: 1, clockDueAt: 1 } };
    const once = onceFor(context, { filter: { _id, ...OPEN, ...asRead }, update }, RESET);
    const isBegun = await this.update(SANDBOX, once.filter, once.update, context.deadline);
    return isBegun ? { ...account, ...set } : null;
  }

  /** The accounts that have been reset, in order of their ids, after this one. */
  findResetAfter(id: string): Promise<AccountDocument[]> {
    return this.findMany(SANDBOX, { _id: { $gt: id }, reset: { $ne: null } }, { _id: 1 }, PAGE);
  }

  /** Resets an account again that a restored backup has as it was before; false when it knows this reset, or a later one. */
  async replay(accountId: string, { before, offsetMs }: Omit<AccountReset, 'step'>): Promise<boolean> {
    const account = await this.find(accountId);
    if (!account || (account.reset && account.reset.before >= before)) return false;
    const reset = { step: RESET_STEPS[0], before, offsetMs };
    const set = { reset, resetDueAt: this.databases.clock.now(), clock: REAL, policies: firstPolicies(account.kind) };
    return this.update(SANDBOX, { _id: accountId, ...OPEN }, { $set: set, $unset: { metadata: 1, clockDueAt: 1 } });
  }

  /** How many resets are not done. */
  async countPending(): Promise<number> {
    return (await this.findPicked(SANDBOX, { resetDueAt: { $ne: null } }, [], { limit: MOST_PENDING })).length;
  }

  /** Stores the first reset of an account, due at once, and changes nothing else. False when the account has had one. */
  beginFirst(accountId: string, reset: AccountReset): Promise<boolean> {
    const set = { reset, resetDueAt: this.databases.clock.now() };
    return this.update(SANDBOX, { _id: accountId, ...OPEN, reset: null }, { $set: set });
  }
}

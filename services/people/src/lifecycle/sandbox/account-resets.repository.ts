import { Injectable } from '@nestjs/common';
import { asSystem, Databases, hasPassed, onceFor, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { firstPolicies } from '../../identity/accounts/account.rules.js';
import {
  type AccountClock,
  type AccountDocument,
  type AccountReset,
  accountSchema,
} from '../../identity/accounts/account.schema.js';

/** What is stored with the account as the answer of a reset. */
export const RESET = 'reset';
const LEASE_MS = 15_000;
const BATCH = 20;
// Resets exist in the sandbox only.
const SANDBOX = asSystem('test', 'a reset continues without a request');

/** A test account as far as its reset needs it. */
export type ResetAccount = Pick<AccountDocument, '_id' | 'kind' | 'clock' | 'resetDueAt' | 'ops'> & {
  reset?: AccountReset | undefined;
};

/** Storage of the resets of test accounts, in their documents: the same write sets the clock back, or finds it advancing. */
@Injectable()
export class AccountResetsRepository extends Repository<AccountDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  find(accountId: string): Promise<ResetAccount | null> {
    return this.lookUp(SANDBOX, accountId);
  }

  /**
   * Begins a reset of an account that is as it was read: stores the reset, sets the clock back, and policies and metadata to those
   * of a new account, once for the request. False when the account has changed since.
   */
  begin(
    { _id, kind, clock, reset: former }: ResetAccount,
    reset: AccountReset,
    context: RequestContext,
  ): Promise<boolean> {
    const asRead = {
      ...(clock ? { 'clock.attempt': clock.attempt } : { clock: null }),
      ...(former ? { 'reset.attempt': former.attempt } : { reset: null }),
    };
    const real: AccountClock = {
      offsetMs: 0,
      fromMs: 0,
      targetMs: null,
      // Fences off a run of the former clock.
      attempt: (clock?.attempt ?? 0) + 1,
      roundsLeft: 0,
    };
    const set = { reset, resetDueAt: this.databases.clock.inMs(LEASE_MS), clock: real, policies: firstPolicies(kind) };
    const update = { $set: set, $unset: { metadata: 1, clockDueAt: 1 } };
    const once = onceFor(context, { filter: open(_id, asRead), update }, RESET);
    return this.update(SANDBOX, once.filter, once.update, context.deadline);
  }

  /** Stores the first reset of an account, due at once, and changes nothing else. False when the account has had one. */
  beginFirst(accountId: string, reset: AccountReset): Promise<boolean> {
    const set = { reset, resetDueAt: this.databases.clock.now() };
    return this.update(SANDBOX, open(accountId, { reset: null }), { $set: set });
  }

  /** Accounts whose reset is due, the most overdue first. */
  findDue(): Promise<ResetAccount[]> {
    return this.findDueBy(SANDBOX, 'resetDueAt', this.databases.clock.now(), BATCH);
  }

  /** Takes over a reset that is due; null when another replica did. */
  async takeOver({ _id, reset, resetDueAt }: ResetAccount): Promise<AccountReset | null> {
    if (!reset) return null;
    const attempt = reset.attempt + 1;
    const lease = { 'reset.attempt': attempt, resetDueAt: { $add: ['$$NOW', LEASE_MS] } };
    const asFound = { _id, resetDueAt, 'reset.attempt': reset.attempt };
    return (await this.updateIf(SANDBOX, asFound, hasPassed('resetDueAt'), lease)) ? { ...reset, attempt } : null;
  }

  /** Stores the progress of a run; the sweep continues it after `waitMs`, by default its lease. False when it is superseded. */
  advance(accountId: string, reset: AccountReset, waitMs = LEASE_MS): Promise<boolean> {
    const resetDueAt = reset.step === null ? null : this.databases.clock.inMs(waitMs);
    const run = open(accountId, { 'reset.attempt': reset.attempt });
    return this.update(SANDBOX, run, { $set: { reset, resetDueAt } });
  }
}

/** An account whose erasure has begun is no longer reset. */
const open = (_id: string, asRead: object) => ({ _id, state: mongoose.trusted({ $exists: false }), ...asRead });

import { Injectable } from '@nestjs/common';
import { asSystem, Databases, hasPassed, onceFor, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type AccountClock, type AccountDocument, accountSchema } from '../../identity/accounts/account.schema.js';

/** Longer than a request advances a clock. */
const LEASE_MS = 15_000;
const BATCH = 20;
// Clocks exist in the sandbox only.
const SANDBOX = asSystem('test', 'an advance continues without a request');

/** An account with a clock. */
export type ClockedAccount = Pick<AccountDocument, '_id' | 'clockDueAt'> & { clock: AccountClock };

/** Storage of the clocks of test accounts, in their documents. */
@Injectable()
export class AccountClocksRepository extends Repository<AccountDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** Now, by the database's clock. */
  now(): Date {
    return this.databases.clock.now();
  }

  /** A test account with its clock and its latest reset; null when there is no such account. */
  findSandbox(accountId: string): Promise<Pick<AccountDocument, 'kind' | 'clock' | 'reset' | 'ops'> | null> {
    return this.lookUp(SANDBOX, accountId);
  }

  /** Begins an advance of a clock that is as it was read, once for the request; false when it has changed since. */
  begin(context: RequestContext, before: AccountClock | null, clock: AccountClock): Promise<boolean> {
    const asRead = before ? { 'clock.attempt': before.attempt } : { clock: null };
    const begun = { clock, clockDueAt: this.databases.clock.inMs(LEASE_MS) };
    const change = { filter: open(context.principal.accountId, asRead), update: { $set: begun } };
    const { filter, update } = onceFor(context, change);
    return this.update(SANDBOX, filter, update, context.deadline);
  }

  /** Stores the progress of a run, with a new lease; false when the run is superseded. */
  advance(accountId: string, clock: AccountClock): Promise<boolean> {
    return this.store(accountId, { 'clock.attempt': clock.attempt }, clock, this.databases.clock.inMs(LEASE_MS));
  }

  /** Leaves the rest of a run to the sweep in `waitMs`; null: nothing is left. False when the run is superseded. */
  leave(accountId: string, clock: AccountClock, waitMs: number | null): Promise<boolean> {
    const dueAt = waitMs === null ? null : this.databases.clock.inMs(waitMs);
    return this.store(accountId, { 'clock.attempt': clock.attempt }, clock, dueAt);
  }

  /** Accounts whose clock is due, the most overdue first. */
  async findDue(): Promise<ClockedAccount[]> {
    const found = await this.findDueBy(SANDBOX, 'clockDueAt', this.databases.clock.now(), BATCH);
    return found.filter((account): account is AccountDocument & ClockedAccount => account.clock !== undefined);
  }

  /** Takes over a clock that is due; null when another replica did. */
  async takeOver({ _id, clock, clockDueAt }: ClockedAccount): Promise<AccountClock | null> {
    const attempt = clock.attempt + 1;
    const lease = { 'clock.attempt': attempt, clockDueAt: { $add: ['$$NOW', LEASE_MS] } };
    const asFound = { _id, clockDueAt, 'clock.attempt': clock.attempt };
    return (await this.updateIf(SANDBOX, asFound, hasPassed('clockDueAt'), lease)) ? { ...clock, attempt } : null;
  }

  private store(accountId: string, asRead: object, clock: AccountClock, clockDueAt: Date | null): Promise<boolean> {
    return this.update(SANDBOX, open(accountId, asRead), { $set: { clock, clockDueAt } });
  }
}

const open = (_id: string, asRead: object) => ({ _id, state: mongoose.trusted({ $exists: false }), ...asRead });

import { Injectable } from '@nestjs/common';
import { asSystem, Databases, onceFor, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { type AccountClock, type AccountDocument, accountSchema } from '../../identity/accounts/account.schema.js';

/** Longer than a request advances a clock. */
const LEASE_MS = 15_000;
// The clock of an account whose erasure has begun does not advance.
const OPEN = { state: { $exists: false } };
// Clocks exist in the sandbox only.
const REASON = 'an advance continues without a request';
const SANDBOX = asSystem('test', REASON);

/** An account with a clock. */
export type ClockedAccount = AccountDocument & { clock: AccountClock };

/** Storage of the clocks of test accounts, in their documents. */
@Injectable()
export class AccountClocksRepository extends Repository<AccountDocument> {
  /** Accounts whose clock advances, or is to be applied once more. */
  readonly unfinished = this.work({
    name: 'sandbox clocks',
    due: 'clockDueAt',
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
   * Begins an advance of the clock of an account that is as it was read, once for the request. Returns the account, which the caller
   * has for a lease; null when the clock has changed since.
   */
  async begin(context: RequestContext, account: AccountDocument, clock: AccountClock): Promise<ClockedAccount | null> {
    const { _id, clock: before, clockDueAt: dueAt = null } = account;
    const asRead = before
      ? { 'clock.offsetMs': before.offsetMs, 'clock.targetMs': null, clockDueAt: dueAt }
      : { clock: null };
    const begun = { clock, clockDueAt: this.databases.clock.inMs(LEASE_MS) };
    const { filter, update } = onceFor(context, { filter: { _id, ...OPEN, ...asRead }, update: { $set: begun } });
    return (await this.update(SANDBOX, filter, update, context.deadline)) ? { ...account, ...begun } : null;
  }
}

import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type AccountDocument, accountSchema } from './account.schema.js';

const REASON = 'who has the link of an account claims it';
const SCOPE = asSystem(REASON);
// Longer than a request takes.
const CLAIMING_MS = 60_000;

/** Storage of who has claimed accounts: one write decides between claims, and between a claim and an erasure. */
@Injectable()
export class ClaimsRepository extends Repository<AccountDocument> {
  /** Accounts whose claim was interrupted. */
  readonly unfinished = this.work({
    name: 'claims of accounts',
    due: 'claimDueAt',
    reason: REASON,
    environments: ['live'],
  });

  constructor(private readonly databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  find(accountId: string): Promise<AccountDocument | null> {
    return this.lookUp(SCOPE, accountId);
  }

  /** Records that a claim begins; false when the account is claimed, closing or erased. */
  begin(accountId: string): Promise<boolean> {
    return this.update(SCOPE, unclaimed(accountId), { $set: { claimDueAt: this.databases.clock.inMs(CLAIMING_MS) } });
  }

  /** Claims an account that has this address, which the link of a claim has confirmed; false when it is claimed, closing or erased. */
  claim(
    accountId: string,
    { email, by, isConfirmed }: { email: string; by: string; isConfirmed: boolean },
  ): Promise<boolean> {
    const claimedAt = this.databases.clock.now();
    const confirmed = isConfirmed ? { emailConfirmedAt: claimedAt } : {};
    const claimed = { $set: { claimedAt, claimedBy: by, ...confirmed }, $unset: { claimDueAt: 1 } };
    return this.update(SCOPE, { ...unclaimed(accountId), email }, claimed);
  }

  /** Records an invitation. Idempotent. */
  async markInvited(accountId: string, at: Date): Promise<void> {
    await this.update(SCOPE, unclaimed(accountId), { $max: { invitedAt: at } });
  }

  /** Whether somebody has claimed an account that this school has made. */
  hasClaimed(schoolId: string): Promise<boolean> {
    return this.exists(SCOPE, { madeBy: schoolId, claimedAt: mongoose.trusted({ $type: 'date' }) });
  }
}

const unclaimed = (accountId: string) => ({
  _id: accountId,
  madeBy: mongoose.trusted({ $type: 'string' }),
  claimedAt: null,
  state: null,
});

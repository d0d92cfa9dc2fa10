import { Injectable } from '@nestjs/common';
import { AppError, type RequestContext } from '@swim/platform';
import { isUnclaimed } from './account.rules.js';
import type { AccountDocument } from './account.schema.js';
import { ClaimsRepository } from './claims.repository.js';

/** An account as claims see it. */
export type MadeAccount = AccountDocument;

/** Which accounts that schools have made are claimed, and by whom. */
@Injectable()
export class AccountClaims {
  constructor(private readonly claims: ClaimsRepository) {}

  get unfinished(): ClaimsRepository['unfinished'] {
    return this.claims.unfinished;
  }

  find(accountId: string): Promise<MadeAccount | null> {
    return this.claims.find(accountId);
  }

  /** An account that the requesting school has made. Throws `school_only`, `resource_not_found`. */
  async getMade(accountId: string, { principal }: RequestContext): Promise<MadeAccount> {
    if (principal.kind !== 'school') throw new AppError('school_only');
    const account = await this.claims.find(accountId);
    if (account?.madeBy !== principal.accountId || account.state === 'erasing')
      throw new AppError('resource_not_found');
    return account;
  }

  /** Whether it is still unclaimed, and neither closing nor being erased; a claim of it then begins. */
  async begin(account: MadeAccount): Promise<boolean> {
    return isUnclaimed(account) && this.claims.begin(account._id);
  }

  /** See `ClaimsRepository.claim`. */
  claim(...of: Parameters<ClaimsRepository['claim']>): Promise<boolean> {
    return this.claims.claim(...of);
  }

  /** See `ClaimsRepository.markInvited`. */
  markInvited(...of: Parameters<ClaimsRepository['markInvited']>): Promise<void> {
    return this.claims.markInvited(...of);
  }

  /** Whether somebody has claimed an account that this school has made. */
  hasClaimed(schoolId: string): Promise<boolean> {
    return this.claims.hasClaimed(schoolId);
  }
}

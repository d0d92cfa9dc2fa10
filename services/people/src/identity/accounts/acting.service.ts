import { Injectable } from '@nestjs/common';
import { findActing, type OutputOf, type ParsedOf, type Principal } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { isUnclaimed } from './account.rules.js';
import { AccountsRepository } from './accounts.repository.js';

/** Schools act for the accounts that they have made, until somebody claims these: each request reads whether somebody has. */
@Injectable()
export class ActingService {
  constructor(private readonly accounts: AccountsRepository) {}

  @Serve(findActing)
  async find(
    { accountId }: ParsedOf<typeof findActing>,
    { principal }: RequestContext,
  ): Promise<OutputOf<typeof findActing>> {
    return { principal: await this.principalFor(accountId, principal) };
  }

  /** The context of a write to the account to which something belongs, as `readingAs`; throws `account_closing`. */
  async contextOf(accountId: string, context: RequestContext): Promise<RequestContext | null> {
    const own = await this.readingAs(accountId, context);
    if (own && own !== context && own.principal.closing)
      throw new AppError('account_closing', { details: { erases_at: own.principal.closing } });
    return own;
  }

  /** The context of the account to which something belongs: its own, or that of a school that acts for it; null for all others. */
  async readingAs(accountId: string, context: RequestContext): Promise<RequestContext | null> {
    if (accountId === context.principal.accountId) return context;
    const principal = await this.principalFor(accountId, context.principal);
    return principal && { ...context, principal };
  }

  /** Throws `foreign_account` where a school acts for an account that somebody has claimed since the request began. */
  async requireUnclaimed({ principal }: RequestContext): Promise<void> {
    if (principal.actingSchoolId === undefined) return;
    const account = await this.accounts.findAny(principal.accountId);
    if (account?.claimedAt) throw new AppError('foreign_account', { field: 'account_id' });
  }

  private async principalFor(accountId: string, principal: Principal): Promise<Principal | null> {
    const { kind, accountId: schoolId } = principal;
    const account = kind === 'school' ? await this.accounts.findAny(accountId) : null;
    if (account?.madeBy !== schoolId || !isUnclaimed(account) || account.state === 'erasing') return null;
    const closing = principal.closing ?? (account.state && account.erasesAt?.toISOString());
    return { ...actingAs(accountId, principal), ...(closing === undefined ? {} : { closing }) };
  }
}

/** The principal of a school that acts for an account of a family. */
export const actingAs = (accountId: string, school: Principal): Principal => ({
  ...school,
  accountId,
  kind: 'family',
  actingSchoolId: school.accountId,
});

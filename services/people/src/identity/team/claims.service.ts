import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { AppError, inEnvironment } from '@swim/platform';
import { AccountClaims, type MadeAccount } from '../accounts/account-claims.service.js';
import type { Link } from '../links/user-links.service.js';
import { MembershipsService } from '../users/memberships.service.js';
import { RolesService } from '../users/roles.service.js';
import { type AccountUser, inAccount, UsersService } from '../users/users.service.js';

/**
 * Claims of accounts that schools have made: a user becomes the owner first, and then the school ceases to act for the account. What a
 * crash leaves in between is completed.
 */
@Injectable()
export class ClaimsService {
  @Inject(RolesService) private readonly roles!: RolesService;

  constructor(
    readonly claims: AccountClaims,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
  ) {}

  /** Begins a claim by a link. Throws `invalid_link` where the account is claimed, is about to be erased, or has another address. */
  async begin({ accountId, emailToken }: Link): Promise<void> {
    await inEnvironment('live', async () => {
      const account = await this.claims.find(accountId!);
      const isSentThere = account !== null && (await this.users.tokenOf(account.email)) === emailToken;
      if (!isSentThere || !(await this.claims.begin(account))) throw invalidLink();
    });
  }

  /** Ends the rights of the school. Throws `invalid_link` where another user has claimed the account, or it is being erased. */
  async finish(user: AccountUser): Promise<void> {
    await inEnvironment('live', () => this.finishHere(user));
  }

  @WhenDue(({ claims }: ClaimsService) => claims.unfinished)
  async complete(account: MadeAccount): Promise<void> {
    const [user] = await this.users.findAllOf(account._id, 1);
    if (user) await this.finishHere(inAccount(user, account._id)!);
    else await this.claims.unfinished.end(account);
  }

  private async finishHere(user: AccountUser): Promise<void> {
    const { _id: by, accountId } = user;
    const account = await this.claims.find(accountId);
    if (account && (await this.claim(account, user))) return;
    const now = await this.claims.find(accountId);
    if (now?.claimedBy === by) return;
    // An erasure removes the users itself.
    if (now?.claimedAt) await this.leave(user);
    throw invalidLink();
  }

  // The school may have corrected the address since the link was sent to the user's.
  private async claim({ _id, email }: MadeAccount, { _id: by, emailToken }: AccountUser): Promise<boolean> {
    const isConfirmed = (await this.users.tokenOf(email)) === emailToken;
    return this.claims.claim(_id, { email, by, isConfirmed });
  }

  private async leave(user: AccountUser): Promise<void> {
    await this.roles.release(user);
    await this.memberships.leave(user._id, user.accountId, 'no_owner');
  }
}

const invalidLink = () => new AppError('invalid_link', { field: 'token' });

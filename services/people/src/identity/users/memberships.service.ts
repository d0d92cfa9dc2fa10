import { Injectable } from '@nestjs/common';
import type { OwnAccount } from '@swim/contracts';
import { AppError, inEnvironment } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { changeInProgress, untilUndisturbed } from '../undisturbed-changes.js';
import { OwnersService } from './owners.service.js';
import { type AccountUser, inAccount, type NewMembership, type UserDocument } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of a user: an invitation to more is rejected. */
const MOST_ACCOUNTS = 100;

/** Which accounts a user belongs to. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly owners: OwnersService,
    private readonly accounts: AccountsService,
  ) {}

  /**
   * Adds a membership; null when the user belongs to the account already, in whatever role. Throws `limit_reached`, and `session_ended` for
   * a user who is removed.
   */
  async join(userId: string, membership: NewMembership): Promise<AccountUser | null> {
    const { accountId, role } = membership;
    const joined = await untilUndisturbed(async () => {
      const user = await this.users.find(userId);
      if (!user || user.removalDueAt) throw new AppError('session_ended');
      if (inAccount(user, accountId)) return { user: null };
      if (user.memberships.length >= MOST_ACCOUNTS)
        throw new AppError('limit_reached', { details: { maximum: MOST_ACCOUNTS } });
      const memberships = [...user.memberships, { ...membership, joinedAt: this.users.now() }];
      return (await this.users.changeMemberships(user, memberships)) ? { user: await this.users.find(userId) } : null;
    });
    if (joined.user && role === 'owner') await this.owners.add(userId, accountId);
    return inAccount(joined.user, accountId);
  }

  /**
   * Removes a membership, or only one of another role than owner. Throws `change_in_progress` when the user has become an owner meanwhile.
   * Idempotent.
   */
  async leave(userId: string, accountId: string, which: 'any' | 'no_owner'): Promise<void> {
    await untilUndisturbed(async () => {
      const user = inAccount(await this.users.find(userId), accountId);
      if (!user) return true;
      if (which === 'no_owner' && user.role === 'owner') throw changeInProgress();
      const left = user.memberships.filter((each) => each.accountId !== accountId);
      return (await this.users.changeMemberships(user, left)) || null;
    });
  }

  /** The accounts of a user that are not erased, oldest membership first. */
  async accountsOf({ memberships }: UserDocument, currentId: string): Promise<OwnAccount[]> {
    const all = memberships.map(async ({ accountId: id, role }) => {
      const [env] = await this.accounts.findEnvironments(id);
      const facts = env && (await inEnvironment(env, () => this.accounts.findFacts(id)));
      const name = env && (await inEnvironment(env, () => this.accounts.findName(id)));
      return facts && name ? [{ id, name, kind: facts.kind, role, is_current: id === currentId }] : [];
    });
    return (await Promise.all(all)).flat();
  }
}

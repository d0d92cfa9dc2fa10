import { Injectable } from '@nestjs/common';
import { AppError } from '@swim/platform';
import { untilUndisturbed } from '../undisturbed-changes.js';
import { OwnersRepository } from './owners.repository.js';
import { type AccountUser, inAccount } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

const MOST_USERS = 1_000;

/**
 * Which users an account can rely on as owners: each of them has the role, and there is one at any time. Who is to lose the role
 * is released before; who gets it is added after.
 */
@Injectable()
export class OwnersService {
  constructor(
    private readonly owners: OwnersRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Adds a user who has the role. Idempotent. */
  async add(userId: string, accountId: string): Promise<void> {
    await untilUndisturbed(async () => {
      const user = inAccount(await this.users.find(userId), accountId);
      if (user?.role !== 'owner') return true;
      const known = await this.owners.get(accountId);
      if (known.owners.includes(userId)) return true;
      // Changes of the role that were decided before change nothing from here on; later ones release first.
      const isConfirmed = await this.users.changeMemberships(user, user.memberships);
      return (isConfirmed && (await this.owners.add(known, userId))) || null;
    });
  }

  /** Removes a user who is about to lose the role. Throws `last_owner`. */
  async release({ _id, accountId }: AccountUser): Promise<void> {
    if (await this.owners.release(accountId, _id)) return;
    // A crash may have left out another one.
    for (const other of await this.users.findAllOf(accountId, MOST_USERS))
      if (other._id !== _id) await this.add(other._id, accountId);
    if (!(await this.owners.release(accountId, _id))) throw new AppError('last_owner');
  }

  /** Forgets the owners of an erased account. Idempotent. */
  forget(accountId: string): Promise<void> {
    return this.owners.removeAll(accountId);
  }
}

import { Injectable } from '@nestjs/common';
import type { Role } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { OwnersRepository } from './owners.repository.js';
import { UsersRepository } from './users.repository.js';
import { type User, UsersService } from './users.service.js';

/** The roles of users. An account has an owner at any time. */
@Injectable()
export class RolesService {
  constructor(
    private readonly service: UsersService,
    private readonly users: UsersRepository,
    private readonly owners: OwnersRepository,
  ) {}

  /** The user of the request, with its role as it is now. Throws `missing_role` for another role than these. */
  async require(roles: readonly Role[], context: RequestContext): Promise<User> {
    const user = await this.service.getOwn(context);
    if (!roles.includes(user.role)) throw missingRole(roles);
    return user;
  }

  /** Changes a role. Throws `last_owner`, and `change_in_progress` when the role has changed since the user was read. */
  async change(user: User, role: Role): Promise<User> {
    if (user.role === role) return user;
    if (user.role === 'owner') await this.release(user);
    if (!(await this.users.change(user._id, { role }, { role: user.role }))) throw new AppError('change_in_progress');
    if (role === 'owner') await this.addOwner(user);
    return { ...user, role };
  }

  /** Has an owner be one no more, before its role changes or it is removed. Throws `last_owner`. */
  async release({ _id, accountId, role }: User): Promise<void> {
    if (role === 'owner' && !(await this.owners.release(accountId, _id))) throw new AppError('last_owner');
  }

  private async addOwner({ _id, accountId }: User): Promise<void> {
    await this.owners.add(accountId, _id);
    // A concurrent change, or removal, may have been the last one.
    if ((await this.users.find(_id))?.role !== 'owner') await this.owners.release(accountId, _id);
  }

  /** Forgets the owners of an erased account. Idempotent. */
  forget(accountId: string): Promise<void> {
    return this.owners.removeAll(accountId);
  }
}

/** The error of a user without one of these roles. */
export const missingRole = (roles: readonly Role[]): AppError =>
  new AppError('missing_role', {
    message: `Your role does not allow this; ${roles.join(' and ')} may. Ask an owner of the account.`,
    details: { allowed: [...roles] },
  });

import { Injectable } from '@nestjs/common';
import { type AccountKind, ROLES_OF_KIND, type Role } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { changeInProgress } from '../undisturbed-changes.js';
import { OwnersService } from './owners.service.js';
import { UsersRepository } from './users.repository.js';
import { type AccountUser, UsersService } from './users.service.js';

/** The roles of users. An account has an owner at any time. */
@Injectable()
export class RolesService {
  constructor(
    private readonly service: UsersService,
    private readonly users: UsersRepository,
    private readonly owners: OwnersService,
  ) {}

  /** The user of the request, with its role as it is now. Throws `missing_role` for another role than these. */
  async require(roles: readonly Role[], context: RequestContext): Promise<AccountUser> {
    const user = await this.service.getOwn(context);
    if (!roles.includes(user.role)) throw missingRole(roles);
    return user;
  }

  /** Changes a role. Throws `last_owner`, and `change_in_progress` when the user's roles have changed since it was read. */
  async change(user: AccountUser, role: Role): Promise<AccountUser> {
    const { _id, accountId } = user;
    if (user.role === role) return user;
    if (user.role === 'owner') await this.owners.release(user);
    const changed = { role, instructor: null };
    const memberships = user.memberships.map((each) => (each.accountId === accountId ? { ...each, ...changed } : each));
    if (!(await this.users.changeMemberships(user, memberships))) throw changeInProgress();
    if (role === 'owner') await this.owners.add(_id, accountId);
    return { ...user, ...changed, memberships };
  }

  /** Takes the role from an owner who is to be removed. Throws what `change` throws. */
  async release(user: AccountUser): Promise<void> {
    if (user.role === 'owner') await this.change(user, 'viewer');
  }

  /** Forgets the owners of an erased account. Idempotent. */
  forget(accountId: string): Promise<void> {
    return this.owners.forget(accountId);
  }
}

/** Throws `invalid_value` for a role that accounts of this kind do not have. */
export function requireRoleOf(kind: AccountKind, role: Role): void {
  const allowed = ROLES_OF_KIND[kind];
  if (allowed.includes(role)) return;
  const message = `role must be one of ${allowed.join(', ')}.`;
  throw new AppError('invalid_value', { field: 'role', message, bounds: { allowed: [...allowed] } });
}

/** The error of a user without one of these roles. */
export const missingRole = (roles: readonly Role[]): AppError =>
  new AppError('missing_role', {
    message: `Your role does not allow this; ${roles.join(' and ')} may. Ask an owner of the account.`,
    details: { allowed: [...roles] },
  });

import { Injectable } from '@nestjs/common';
import type { changeRole, DashboardUser, listUsers, Page, ParsedOf, removeUser } from '@swim/contracts';
import type { ListQuery } from '@swim/mongo';
import { AppError, type RequestContext } from '@swim/platform';
import { ActivityService } from '../activity/activity.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { RolesService } from '../users/roles.service.js';
import { type User, UsersService } from '../users/users.service.js';

/** The users of an account: lists them, changes their roles, removes them. */
@Injectable()
export class TeamService {
  constructor(
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly sessions: UserSessionsService,
    private readonly activity: ActivityService,
  ) {}

  async list(query: ParsedOf<typeof listUsers>, context: RequestContext): Promise<Page<DashboardUser>> {
    await this.roles.require(['owner', 'admin'], context);
    return this.listAll(query, context);
  }

  /** All users of the requesting account, whatever its key's or user's role. */
  async listAll(query: ListQuery, context: RequestContext): Promise<Page<DashboardUser>> {
    const { items, pagination } = await this.users.list(query, context);
    return { items: await Promise.all(items.map((user) => this.users.summaryOf(user))), pagination };
  }

  /** The sessions of the user are verified again, and get other cookies: each gateway learns of the role within a second. */
  async changeRole(
    { user_id: id, role }: ParsedOf<typeof changeRole>,
    context: RequestContext,
  ): Promise<DashboardUser> {
    const owner = await this.roles.require(['owner'], context);
    const changed = await this.roles.change(await this.getOfAccount(id, owner), role);
    await this.sessions.renewAllOf(id);
    await this.activity.record(owner, 'role_changed', context, id);
    return this.users.summaryOf(changed);
  }

  /** An owner removes any user; everybody may remove themselves. */
  async remove({ user_id: id }: ParsedOf<typeof removeUser>, context: RequestContext): Promise<void> {
    const actor =
      id === context.principal.userId ? await this.users.getOwn(context) : await this.roles.require(['owner'], context);
    const user = await this.getOfAccount(id, actor);
    await this.roles.release(user);
    await this.sessions.removeAllOf(id);
    await this.users.remove(id, 'no_owner');
    // Of a sign-in at the same time.
    await this.sessions.removeAllOf(id);
    await this.activity.record(actor, 'user_removed', context, id);
  }

  private async getOfAccount(userId: string, { accountId }: User): Promise<User> {
    const user = await this.users.find(userId);
    if (user?.accountId !== accountId) throw new AppError('resource_not_found');
    return user;
  }
}

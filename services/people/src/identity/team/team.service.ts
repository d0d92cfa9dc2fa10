import { Inject, Injectable } from '@nestjs/common';
import {
  changeRole,
  type DashboardUser,
  listUsers,
  type OutputOf,
  type Page,
  type ParsedOf,
  ROLES,
  removeUser,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { ListQuery } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { ActivityService } from '../activity/activity.service.js';
import { KeysService } from '../keys/keys.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { RolesService, requireRoleOf } from '../users/roles.service.js';
import { inAccount, UsersService } from '../users/users.service.js';
import { InvitationsService } from './invitations.service.js';
import { UsersErasureService } from './users-erasure.service.js';

/** The users of an account: lists them, changes their roles, removes them. */
@Injectable()
export class TeamService {
  @Inject(KeysService) private readonly keys!: KeysService;
  @Inject(UsersErasureService) private readonly erasure!: UsersErasureService;

  constructor(
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly sessions: UserSessionsService,
    private readonly activity: ActivityService,
    private readonly invitations: InvitationsService,
  ) {}

  @Serve(listUsers)
  async list(query: ParsedOf<typeof listUsers>, context: RequestContext): Promise<Page<DashboardUser>> {
    await this.roles.require(['owner', 'admin'], context);
    return this.listAll(query, context);
  }

  /** All users of the requesting account, whatever its key's or user's role. */
  async listAll(query: ListQuery, context: RequestContext): Promise<Page<DashboardUser>> {
    const { items, pagination } = await this.users.list(query, context);
    const own = items.map((user) => inAccount(user, context.principal.accountId)!);
    return { items: await Promise.all(own.map((user) => this.users.summaryOf(user))), pagination };
  }

  /** The sessions of the user are verified again, and get other cookies: each gateway learns of the role within a second. */
  @Serve(changeRole)
  async changeRole(
    { user_id: id, role }: ParsedOf<typeof changeRole>,
    context: RequestContext,
  ): Promise<OutputOf<typeof changeRole>> {
    const owner = await this.roles.require(['owner'], context);
    requireRoleOf(context.principal.kind, role);
    const user = await this.users.getIn(owner.accountId, id);
    const changed = await this.roles.change(user, role);
    await this.sessions.renewAllIn(owner.accountId, id);
    await this.activity.record(owner, 'role_changed', context, id);
    const isDemoted = ROLES.indexOf(role) > ROLES.indexOf(user.role);
    if (isDemoted) await this.invitations.withdrawAllOf(user);
    return { ...(await this.users.summaryOf(changed)), keys: isDemoted ? await this.keys.listMadeBy(user) : [] };
  }

  /** An owner removes any user; everybody may remove themselves. */
  @Serve(removeUser)
  async remove(
    { user_id: id }: ParsedOf<typeof removeUser>,
    context: RequestContext,
  ): Promise<OutputOf<typeof removeUser>> {
    const actor =
      id === context.principal.userId ? await this.users.getOwn(context) : await this.roles.require(['owner'], context);
    const user = await this.users.getIn(actor.accountId, id);
    await this.roles.release(user);
    await this.erasure.removeFrom(actor.accountId, id, 'no_owner');
    await this.invitations.withdrawAllOf(user);
    await this.activity.record(actor, 'user_removed', context, id);
    return { keys: await this.keys.listMadeBy(user) };
  }
}

import { Controller } from '@nestjs/common';
import {
  type ActivityEntry,
  acceptInvitation,
  changeRole,
  createInvitation,
  type DashboardUser,
  type Invitation,
  listActivity,
  listInvitations,
  listOwnActivity,
  listOwnInvitations,
  listOwnUsers,
  listUsers,
  type OutputOf,
  type Page,
  type ParsedOf,
  recordUserActions,
  removeInvitation,
  removeUser,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { requireOwnAccount } from '../accounts/accounts.service.js';
import { InvitationsService } from './invitations.service.js';
import { TeamService } from './team.service.js';
import { TeamActivityService } from './team-activity.service.js';

const NONE = { items: [], pagination: { has_more: false, next_cursor: null, total: 0 } };

@Controller()
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly invitations: InvitationsService,
    private readonly activity: TeamActivityService,
  ) {}

  @Serve(recordUserActions)
  async record(
    { userActions }: ParsedOf<typeof recordUserActions>,
    { principal }: RequestContext,
  ): Promise<Record<string, never>> {
    await this.activity.record(principal.env, userActions);
    return {};
  }

  @Serve(listUsers)
  list(query: ParsedOf<typeof listUsers>, context: RequestContext): Promise<Page<DashboardUser>> {
    return this.team.list(query, context);
  }

  @Serve(changeRole)
  changeRole(input: ParsedOf<typeof changeRole>, context: RequestContext): Promise<OutputOf<typeof changeRole>> {
    return this.team.changeRole(input, context);
  }

  @Serve(removeUser)
  remove(input: ParsedOf<typeof removeUser>, context: RequestContext): Promise<OutputOf<typeof removeUser>> {
    return this.team.remove(input, context);
  }

  @Serve(listInvitations)
  listInvitations(query: ParsedOf<typeof listInvitations>, context: RequestContext): Promise<Page<Invitation>> {
    return this.invitations.list(query, context);
  }

  @Serve(createInvitation)
  invite(input: ParsedOf<typeof createInvitation>, context: RequestContext): Promise<Invitation> {
    return this.invitations.create(input, context);
  }

  @Serve(removeInvitation)
  async removeInvitation(
    input: ParsedOf<typeof removeInvitation>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    await this.invitations.remove(input, context);
    return {};
  }

  @Serve(acceptInvitation)
  accept(
    input: ParsedOf<typeof acceptInvitation>,
    context: RequestContext,
  ): Promise<OutputOf<typeof acceptInvitation>> {
    return this.invitations.accept(input, context);
  }

  @Serve(listActivity)
  listActivity(query: ParsedOf<typeof listActivity>, context: RequestContext): Promise<Page<ActivityEntry>> {
    return this.activity.list(query, context);
  }

  @Serve(listOwnUsers)
  async listOwn(
    { account_id, ...query }: ParsedOf<typeof listOwnUsers>,
    context: RequestContext,
  ): Promise<Page<DashboardUser>> {
    requireOwnAccount(account_id, context);
    return context.principal.env === 'live' ? this.team.listAll(query, context) : NONE;
  }

  @Serve(listOwnInvitations)
  async listOwnInvitations(
    { account_id, ...query }: ParsedOf<typeof listOwnInvitations>,
    context: RequestContext,
  ): Promise<Page<Invitation>> {
    requireOwnAccount(account_id, context);
    return context.principal.env === 'live' ? this.invitations.listAll(query, context) : NONE;
  }

  @Serve(listOwnActivity)
  async listOwnActivity(
    { account_id, ...query }: ParsedOf<typeof listOwnActivity>,
    context: RequestContext,
  ): Promise<Page<ActivityEntry>> {
    requireOwnAccount(account_id, context);
    return context.principal.env === 'live' ? this.activity.listAll(query, context) : NONE;
  }
}

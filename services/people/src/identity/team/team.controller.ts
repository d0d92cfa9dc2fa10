import { Controller } from '@nestjs/common';
import {
  type ActivityEntry,
  type DashboardUser,
  type Invitation,
  listOwnActivity,
  listOwnInvitations,
  listOwnUsers,
  type Page,
  type ParsedOf,
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

import { Injectable } from '@nestjs/common';
import {
  type ActivityEntry,
  listActivity,
  type Page,
  type ParsedOf,
  type RecordedAction,
  recordUserActions,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { ListQuery } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { inEnvironment } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { ActivityService } from '../activity/activity.service.js';
import { RolesService } from '../users/roles.service.js';
import { inAccount, UsersService } from '../users/users.service.js';

/** What the users of an account did, with their names. */
@Injectable()
export class TeamActivityService {
  constructor(
    private readonly activity: ActivityService,
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly accounts: AccountsService,
  ) {}

  /** Stores what users of accounts that are not erased changed by public routes. Idempotent. */
  @Serve(recordUserActions)
  async record({ userActions: actions }: ParsedOf<typeof recordUserActions>): Promise<Record<string, never>> {
    const kept: RecordedAction[] = [];
    for (const [accountId, own] of Map.groupBy(actions, ({ account_id }) => account_id)) {
      // Users belong to the live account: its erasure removes their activity in both environments.
      const account = await inEnvironment('live', () => this.accounts.findFacts(accountId));
      if (account && !account.isErased) kept.push(...own);
    }
    if (kept.length > 0) await this.activity.recordAll(kept);
    return {};
  }

  @Serve(listActivity)
  async list(query: ParsedOf<typeof listActivity>, context: RequestContext): Promise<Page<ActivityEntry>> {
    await this.roles.require(['owner', 'admin'], context);
    return this.listAll(query, context);
  }

  /** All entries of the requesting account, whatever its key's or user's role. */
  async listAll(query: ListQuery, context: RequestContext): Promise<Page<ActivityEntry>> {
    const { items, pagination } = await this.activity.list(query, context);
    const names = new Map<string, string | null>();
    for (const userId of new Set(items.map((entry) => entry.userId))) {
      const user = inAccount(await this.users.find(userId), context.principal.accountId);
      names.set(userId, user && (await this.users.profileOf(user)).name);
    }
    return {
      items: items.map(({ _id: id, createdAt, userId, action, object, network, env }) => ({
        id,
        at: createdAt.toISOString(),
        user_id: userId,
        user_name: names.get(userId) ?? null,
        action,
        object,
        address_network: network,
        environment: env && (env === 'live' ? 'live' : 'sandbox'),
      })),
      pagination,
    };
  }
}

import { Injectable } from '@nestjs/common';
import {
  listMyAccounts,
  listSchoolNames,
  type OutputOf,
  type OwnAccount,
  type Page,
  type ParsedOf,
  switchAccount,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { MembershipsService } from '../users/memberships.service.js';
import { UsersService } from '../users/users.service.js';

/** The accounts of the signed-in user, and which of them the session is bound to. */
@Injectable()
export class OwnAccountsService {
  constructor(
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly life: SessionLifeService,
    private readonly accounts: AccountsService,
  ) {}

  /** All at once: a user has few accounts. */
  @Serve(listMyAccounts)
  async list(_: ParsedOf<typeof listMyAccounts>, context: RequestContext): Promise<Page<OwnAccount>> {
    const user = await this.users.getOwn(context);
    const items = await this.memberships.accountsOf(user, user.accountId);
    return { items, pagination: { has_more: false, next_cursor: null, total: items.length } };
  }

  @Serve(listSchoolNames)
  async listSchools({ ids }: ParsedOf<typeof listSchoolNames>): Promise<Page<{ id: string; name: string }>> {
    const items = await this.accounts.findSchoolNames(ids);
    return { items, pagination: { has_more: false, next_cursor: null, total: items.length } };
  }

  @Serve(switchAccount)
  async switch(
    { session, account_id: id }: ParsedOf<typeof switchAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof switchAccount>> {
    const { _id } = await this.users.getOwn(context);
    const { cookies, me } = await this.life.switchTo(await this.users.getIn(id, _id), session, context);
    return { cookies, data: me };
  }
}

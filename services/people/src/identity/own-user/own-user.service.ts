import { Injectable } from '@nestjs/common';
import {
  type DashboardMe,
  endUserSession,
  listUserSessions,
  type Page,
  type ParsedOf,
  type UserSession,
  updateDashboardMe,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { UsersService } from '../users/users.service.js';

/** What users change of themselves. */
@Injectable()
export class OwnUserService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: UserSessionsService,
    private readonly life: SessionLifeService,
  ) {}

  @Serve(updateDashboardMe)
  async update(changes: ParsedOf<typeof updateDashboardMe>, context: RequestContext): Promise<DashboardMe> {
    const user = await this.users.getOwn(context);
    return this.users.describe(await this.users.change(user, changes));
  }

  /** All at once: a user has few sessions. */
  @Serve(listUserSessions)
  async listSessions(
    { sessionId }: ParsedOf<typeof listUserSessions>,
    context: RequestContext,
  ): Promise<Page<UserSession>> {
    const items = await this.sessions.list(await this.users.getOwn(context), sessionId);
    return { items, pagination: { has_more: false, next_cursor: null, total: items.length } };
  }

  @Serve(endUserSession)
  async endSession(
    { user_session_id: id }: ParsedOf<typeof endUserSession>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    const user = await this.users.getOwn(context);
    if (!(await this.sessions.end(user._id, id))) throw new AppError('resource_not_found');
    await this.life.record(user, 'session_ended', context, id);
    return {};
  }
}

import { Injectable } from '@nestjs/common';
import type { CookieChanges, DashboardMe, PresentedCookie } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { type Action, ActivityService, type Actor } from '../activity/activity.service.js';
import { changeInProgress } from '../undisturbed-changes.js';
import { type AccountUser, type User, UsersService } from '../users/users.service.js';
import { DevicesService } from './devices.service.js';
import { UserSessionsService } from './user-sessions.service.js';

/** A session that has begun. */
export interface Started {
  cookies: CookieChanges;
  me: DashboardMe;
}

/** Begins and ends sessions, and records that in the log of what users did. */
@Injectable()
export class SessionLifeService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: UserSessionsService,
    private readonly activity: ActivityService,
    private readonly devices: DevicesService,
  ) {}

  /** Signs a user in to the account that it used last. Throws `wrong_credentials` for one who has none, and what `start` throws. */
  async startLast(user: User, isKept: boolean, context: RequestContext): Promise<Started> {
    const own = await this.users.atLast(user);
    if (!own) throw new AppError('wrong_credentials');
    return this.start(own, isKept, context);
  }

  /** Signs a user in to an account. Throws `wrong_credentials` when the password has changed since the user was read. */
  async start(
    user: AccountUser,
    isKept: boolean,
    context: RequestContext,
    action: Action = 'signed_in',
  ): Promise<Started> {
    const session = await this.sessions.open(user, isKept, context);
    await this.users.noteUse(user);
    await this.activity.record(user, action, context);
    // Another password may have ended all sessions between the comparison and this one.
    const now = await this.users.find(user._id);
    if (now?.passwordHash !== user.passwordHash) {
      await this.sessions.endAllOf(user._id);
      throw new AppError('wrong_credentials');
    }
    return {
      cookies: { session, secondFactor: null, device: this.devices.newToken(user) },
      me: await this.users.describe(user),
    };
  }

  /** Switches a session to another account of its user. Throws `change_in_progress` when its cookie was replaced meanwhile. */
  async switchTo(
    user: AccountUser,
    session: PresentedCookie,
    context: RequestContext,
    action: Action = 'account_switched',
  ): Promise<Started> {
    const renewed = await this.sessions.rotate(session, { accountId: user.accountId });
    if (!renewed) throw changeInProgress();
    await this.users.noteUse(user);
    await this.activity.record(user, action, context);
    return { cookies: { session: renewed }, me: await this.users.describe(user) };
  }

  /** Ends a session of the request's user. */
  async end(sessionId: string, context: RequestContext): Promise<void> {
    const user = await this.users.getOwn(context);
    await this.sessions.end(user._id, sessionId);
    await this.activity.record(user, 'signed_out', context);
  }

  /** Ends all sessions of a user. */
  async endAll(user: Actor, action: Action, context: RequestContext): Promise<void> {
    await this.sessions.endAllOf(user._id);
    await this.activity.record(user, action, context);
  }

  /** Records what a user did. */
  record(user: Actor, action: Action, context: RequestContext, object: string | null = null): Promise<void> {
    return this.activity.record(user, action, context, object);
  }
}

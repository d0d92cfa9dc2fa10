import { Injectable } from '@nestjs/common';
import type { CookieChanges, DashboardMe } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { type Action, ActivityService } from '../activity/activity.service.js';
import { type User, UsersService } from '../users/users.service.js';
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

  /** Signs a user in. Throws `wrong_credentials` when the password has changed since the user was read. */
  async start(user: User, isKept: boolean, context: RequestContext, action: Action = 'signed_in'): Promise<Started> {
    const session = await this.sessions.open(user, isKept, context);
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

  /** Ends a session of the request's user. */
  async end(sessionId: string, context: RequestContext): Promise<void> {
    const user = await this.users.getOwn(context);
    await this.sessions.end(user._id, sessionId);
    await this.activity.record(user, 'signed_out', context);
  }

  /** Ends all sessions of a user. */
  async endAll(user: User, action: Action, context: RequestContext): Promise<void> {
    await this.sessions.endAllOf(user._id);
    await this.activity.record(user, action, context);
  }

  /** Records what a user did. */
  record(user: User, action: Action, context: RequestContext, object: string | null = null): Promise<void> {
    return this.activity.record(user, action, context, object);
  }
}

import { Injectable } from '@nestjs/common';
import type { CookieChanges, PresentedCookie } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import type { Action } from '../activity/activity.service.js';
import { type User, UsersService } from '../users/users.service.js';
import { SessionLifeService } from './session-life.service.js';
import { ThrottleService } from './throttle.service.js';
import { UserSessionsService } from './user-sessions.service.js';

/** A change of how a user signs in. */
interface ProtectedChange {
  action: Action;
  /** The session in which it was made. */
  session: PresentedCookie;
  /** What was changed, by its id. */
  object?: string;
}

/** What changes of passwords and second factors have in common: limited tries, and what follows of them. */
@Injectable()
export class ProtectedChangesService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: UserSessionsService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
  ) {}

  /** The user of the request, whose try is counted. Throws `session_ended`, `sign_in_attempts`. */
  async countTry(what: 'code' | 'password', context: RequestContext): Promise<User> {
    const user = await this.users.getOwn(context);
    await this.throttle.countTry(what, user._id, context);
    return user;
  }

  /** The user of the request, whose password this is. Throws `wrong_password`, and what `countTry` throws. */
  async requirePassword(password: string, context: RequestContext, field = 'password'): Promise<User> {
    const user = await this.countTry('password', context);
    if (!(await this.users.isPassword(password, user))) throw new AppError('wrong_password', { field });
    return user;
  }

  /** Records a change, ends all other sessions of the user, and gives this one another cookie. */
  async finish(
    user: User,
    { action, session, object }: ProtectedChange,
    context: RequestContext,
  ): Promise<CookieChanges> {
    await this.sessions.endAllOf(user._id, session.id);
    await this.record(user, action, context, object);
    const renewed = await this.sessions.rotate(session);
    return renewed ? { session: renewed } : {};
  }

  record(user: User, action: Action, context: RequestContext, object: string | null = null): Promise<void> {
    return this.life.record(user, action, context, object);
  }
}

import { Injectable } from '@nestjs/common';
import type { CookieChanges, PresentedCookie, SecurityNotice } from '@swim/contracts';
import type { RequestContext } from '@swim/platform';
import { UserLinksService } from '../links/user-links.service.js';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { type AccountUser, type User, UsersService } from '../users/users.service.js';

/** The changes of how a user signs in, and the notice of each. */
const NOTICES = {
  password_changed: 'password_changed',
  totp_enabled: 'second_factor_added',
  totp_disabled: 'second_factor_removed',
  passkey_added: 'passkey_added',
  passkey_removed: 'second_factor_removed',
} as const satisfies Record<string, SecurityNotice>;

/** A change of how a user signs in. */
interface ProtectedChange {
  action: keyof typeof NOTICES;
  /** The session in which it was made. */
  session: PresentedCookie;
  /** What was changed, by its id. */
  object?: string;
}

/** What changes of passwords and second factors have in common: limited tries, and what follows of them. The gateway asks for a confirmation before. */
@Injectable()
export class ProtectedChangesService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: UserSessionsService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
    private readonly links: UserLinksService,
  ) {}

  /** The user of the request, whose try of a code or passkey is counted. Throws `session_ended`, `sign_in_attempts`. */
  async countTry(context: RequestContext): Promise<AccountUser> {
    const user = await this.users.getOwn(context);
    await this.throttle.countTry('code', user._id);
    return user;
  }

  /** Notifies the user of a change, records it in all its accounts, ends all other sessions, and gives this one another cookie. */
  async finish(
    { _id, readers, emailToken }: User,
    { action, session, object }: ProtectedChange,
    context: RequestContext,
  ): Promise<CookieChanges> {
    await this.links.notify({ emailToken }, NOTICES[action]);
    await this.sessions.endAllOf(_id, session.id);
    await this.life.record({ _id, readers }, action, context, object ?? null);
    const renewed = await this.sessions.rotate(session);
    return renewed ? { session: renewed } : {};
  }
}

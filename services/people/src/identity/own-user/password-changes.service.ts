import { Injectable } from '@nestjs/common';
import {
  changePassword,
  finishPasswordReset,
  type OutputOf,
  type ParsedOf,
  requestPasswordReset,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, newId, type RequestContext } from '@swim/platform';
import { UserLinksService } from '../links/user-links.service.js';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { UsersService } from '../users/users.service.js';
import { ProtectedChangesService } from './protected-changes.service.js';

/** Changes passwords: in a session, and forgotten ones by a link. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly links: UserLinksService,
    private readonly users: UsersService,
    private readonly throttle: ThrottleService,
    private readonly changes: ProtectedChangesService,
    private readonly life: SessionLifeService,
  ) {}

  /** Stores a link for any address: whether it has a user is looked up when the link is sent. */
  @Serve(requestPasswordReset)
  async request(
    { email }: ParsedOf<typeof requestPasswordReset>,
    context: RequestContext,
  ): Promise<OutputOf<typeof requestPasswordReset>> {
    await this.throttle.countNetwork(context);
    const emailToken = await this.users.tokenOf(email);
    if (await this.throttle.mayMail('password_reset', emailToken))
      await this.links.insert({ id: newId('ulk'), purpose: 'password_reset', emailToken, isMailed: true });
    return { status: 'reset_sent' };
  }

  /** The change of the password ends this link, and all that were sent before it. */
  @Serve(finishPasswordReset)
  async finish(
    { token, password }: ParsedOf<typeof finishPasswordReset>,
    context: RequestContext,
  ): Promise<OutputOf<typeof finishPasswordReset>> {
    const link = await this.links.open(token, 'password_reset');
    const user = await this.users.findByEmailToken(link.emailToken);
    const passwordHash = await this.users.hashPassword(password);
    if (!user || !(await this.users.setPasswordByLink(user, passwordHash, link.createdAt)))
      throw new AppError('invalid_link', { field: 'token' });
    await this.links.notify(user, 'password_changed');
    await this.life.endAll(user, 'password_reset', context);
    return { status: 'password_changed' };
  }

  /** Ends all other sessions, and gives this one another cookie. */
  @Serve(changePassword)
  async change(
    { session, password }: ParsedOf<typeof changePassword>,
    context: RequestContext,
  ): Promise<OutputOf<typeof changePassword>> {
    const user = await this.users.getOwn(context);
    await this.users.setPassword(user, await this.users.hashPassword(password), session.id);
    return { cookies: await this.changes.finish(user, { action: 'password_changed', session }, context), data: {} };
  }
}

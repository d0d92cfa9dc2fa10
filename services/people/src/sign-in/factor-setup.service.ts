import { Injectable } from '@nestjs/common';
import type {
  beginTotp,
  CookieChanges,
  confirmTotp,
  OutputOf,
  ParsedOf,
  PresentedCookie,
  removeTotp,
  replaceRecoveryCodes,
} from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { FactorsService } from '../second-factors/factors.service.js';
import { type User, UsersService } from '../users/users.service.js';
import { SessionLifeService } from './session-life.service.js';
import { ThrottleService } from './throttle.service.js';
import { UserSessionsService } from './user-sessions.service.js';

/** Sets up the second factors of the signed-in user. A change of these ends all other sessions. */
@Injectable()
export class FactorSetupService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: FactorsService,
    private readonly sessions: UserSessionsService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
  ) {}

  async begin(context: RequestContext): Promise<OutputOf<typeof beginTotp>> {
    const user = await this.users.getOwn(context);
    return this.factors.beginTotp(user, (await this.users.profileOf(user)).email);
  }

  async confirm(
    { session, code }: ParsedOf<typeof confirmTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof confirmTotp>> {
    const user = await this.users.getOwn(context);
    await this.throttle.countTry('code', user._id, context);
    const codes = await this.factors.confirmTotp(user, code);
    await this.life.record(user, 'totp_enabled', context);
    return { cookies: await this.renew(user, session), data: { recovery_codes: codes } };
  }

  async remove(
    { session, password }: ParsedOf<typeof removeTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof removeTotp>> {
    const user = await this.requirePassword(password, context);
    await this.factors.removeTotp(user);
    await this.life.record(user, 'totp_disabled', context);
    return { cookies: await this.renew(user, session), data: {} };
  }

  async replaceCodes(
    { password }: ParsedOf<typeof replaceRecoveryCodes>,
    context: RequestContext,
  ): Promise<OutputOf<typeof replaceRecoveryCodes>> {
    const user = await this.requirePassword(password, context);
    const codes = await this.factors.replaceRecoveryCodes(user);
    await this.life.record(user, 'recovery_codes_replaced', context);
    return { recovery_codes: codes };
  }

  private async requirePassword(password: string, context: RequestContext): Promise<User> {
    const user = await this.users.getOwn(context);
    await this.throttle.countTry('password', user._id, context);
    if (!(await this.users.isPassword(password, user))) throw new AppError('wrong_password', { field: 'password' });
    return user;
  }

  private async renew({ _id }: User, session: PresentedCookie): Promise<CookieChanges> {
    await this.sessions.endAllOf(_id, session.id);
    const renewed = await this.sessions.rotate(session);
    return renewed ? { session: renewed } : {};
  }
}

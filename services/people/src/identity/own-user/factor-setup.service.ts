import { Injectable } from '@nestjs/common';
import {
  beginTotp,
  confirmTotp,
  type OutputOf,
  type ParsedOf,
  removeTotp,
  replaceRecoveryCodes,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { FactorsService } from '../second-factors/factors.service.js';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { UsersService } from '../users/users.service.js';
import { ProtectedChangesService } from './protected-changes.service.js';

/** Sets up the authenticator app and the recovery codes of the signed-in user. */
@Injectable()
export class FactorSetupService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: FactorsService,
    private readonly changes: ProtectedChangesService,
    private readonly life: SessionLifeService,
  ) {}

  @Serve(beginTotp)
  async begin(_: ParsedOf<typeof beginTotp>, context: RequestContext): Promise<OutputOf<typeof beginTotp>> {
    const user = await this.users.getOwn(context);
    return this.factors.beginTotp(user, (await this.users.profileOf(user)).email);
  }

  @Serve(confirmTotp)
  async confirm(
    { session, code }: ParsedOf<typeof confirmTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof confirmTotp>> {
    const user = await this.changes.countTry(context);
    const codes = await this.factors.confirmTotp(user, code, session.id);
    const cookies = await this.changes.finish(user, { action: 'totp_enabled', session }, context);
    return { cookies, data: { recovery_codes: codes } };
  }

  @Serve(removeTotp)
  async remove(
    { session }: ParsedOf<typeof removeTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof removeTotp>> {
    const user = await this.users.getOwn(context);
    await this.factors.removeTotp(user, session.id);
    return { cookies: await this.changes.finish(user, { action: 'totp_disabled', session }, context), data: {} };
  }

  @Serve(replaceRecoveryCodes)
  async replaceCodes(
    _: ParsedOf<typeof replaceRecoveryCodes>,
    context: RequestContext,
  ): Promise<OutputOf<typeof replaceRecoveryCodes>> {
    const user = await this.users.getOwn(context);
    const codes = await this.factors.replaceRecoveryCodes(user);
    await this.life.record(user, 'recovery_codes_replaced', context);
    return { recovery_codes: codes };
  }
}

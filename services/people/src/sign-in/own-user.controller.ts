import { Controller } from '@nestjs/common';
import {
  changePassword,
  type DashboardMe,
  endUserSession,
  listUserSessions,
  type OutputOf,
  type Page,
  type ParsedOf,
  type UserSession,
  updateDashboardMe,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { OwnUserService } from './own-user.service.js';
import { PasswordChangesService } from './password-changes.service.js';

@Controller()
export class OwnUserController {
  constructor(
    private readonly own: OwnUserService,
    private readonly passwords: PasswordChangesService,
  ) {}

  @Serve(updateDashboardMe)
  update(input: ParsedOf<typeof updateDashboardMe>, context: RequestContext): Promise<DashboardMe> {
    return this.own.update(input, context);
  }

  @Serve(changePassword)
  changePassword(
    input: ParsedOf<typeof changePassword>,
    context: RequestContext,
  ): Promise<OutputOf<typeof changePassword>> {
    return this.passwords.change(input, context);
  }

  @Serve(listUserSessions)
  listSessions(input: ParsedOf<typeof listUserSessions>, context: RequestContext): Promise<Page<UserSession>> {
    return this.own.listSessions(input, context);
  }

  @Serve(endUserSession)
  async endSession(input: ParsedOf<typeof endUserSession>, context: RequestContext): Promise<Record<string, never>> {
    await this.own.endSession(input, context);
    return {};
  }
}

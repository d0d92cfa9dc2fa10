import { Injectable } from '@nestjs/common';
import { currentEnvironment } from '@swim/platform';
import { ActivityService } from '../activity/activity.service.js';
import { UserLinksService } from '../links/user-links.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { RolesService } from '../users/roles.service.js';
import { UsersService } from '../users/users.service.js';

const BATCH = 100;

/** Removes the users of an erased account. */
@Injectable()
export class UsersErasureService {
  constructor(
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly sessions: UserSessionsService,
    private readonly links: UserLinksService,
    private readonly activity: ActivityService,
  ) {}

  /** Removes users, sessions, links and activity when the live account is erased; the sandbox has none. Idempotent. */
  async erase(accountId: string): Promise<void> {
    if (currentEnvironment() !== 'live') return;
    await this.links.removeAllOf(accountId);
    for (let found = 1; found > 0; ) {
      const left = await this.users.findIdsLeftOf(accountId, BATCH);
      found = left.length;
      for (const id of left) {
        await this.sessions.removeAllOf(id);
        await this.users.remove(id, 'any');
      }
    }
    await this.sessions.removeAllOfAccount(accountId);
    await this.roles.forget(accountId);
    await this.activity.removeAllOf(accountId);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { currentEnvironment } from '@swim/platform';
import { ActivityService } from '../activity/activity.service.js';
import { UserLinksService } from '../links/user-links.service.js';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { MembershipsService } from '../users/memberships.service.js';
import { RolesService } from '../users/roles.service.js';
import { type User, UsersService } from '../users/users.service.js';

const BATCH = 100;

/** Removes users from an account, and those that have no other one. */
@Injectable()
export class UsersErasureService {
  @Inject(MembershipsService) private readonly memberships!: MembershipsService;

  constructor(
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly sessions: UserSessionsService,
    private readonly links: UserLinksService,
    private readonly activity: ActivityService,
  ) {}

  /** Removes a user from an account, with all sessions in it. Throws what `MembershipsService.leave` throws. Idempotent. */
  async removeFrom(accountId: string, userId: string, which: 'any' | 'no_owner'): Promise<void> {
    await this.sessions.removeAllIn(accountId, userId);
    await this.memberships.leave(userId, accountId, which);
    // A sign-in at the same time may have opened another session.
    await this.sessions.removeAllIn(accountId, userId);
    const left = await this.users.find(userId);
    if (left?.removalDueAt) await this.removeUnowned(left);
  }

  /** Removes a user who has no account left: what a crash left behind, too. */
  @WhenDue(({ users }: UsersErasureService) => users.unowned)
  async removeUnowned({ _id }: User): Promise<void> {
    await this.sessions.removeAllOf(_id);
    await this.users.remove(_id);
  }

  /** Removes users, sessions, links and activity when the live account is erased; the sandbox has none. Idempotent. */
  async erase(accountId: string): Promise<void> {
    if (currentEnvironment() !== 'live') return;
    await this.links.removeAllOf(accountId);
    for (let found = 1; found > 0; ) {
      const left = await this.users.findAllOf(accountId, BATCH);
      found = left.length;
      for (const { _id } of left) await this.removeFrom(accountId, _id, 'any');
    }
    await this.sessions.removeAllOfAccount(accountId);
    await this.roles.forget(accountId);
    await this.activity.removeAllOf(accountId);
  }
}

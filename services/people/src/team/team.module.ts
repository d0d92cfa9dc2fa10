import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { InvitationsService } from './invitations.service.js';
import { TeamController } from './team.controller.js';
import { TeamService } from './team.service.js';
import { TeamActivityService } from './team-activity.service.js';
import { UsersErasureService } from './users-erasure.service.js';

/** The users of an account: invitations, roles, and what they did. */
@Module({
  imports: [AccessModule, AccountsModule, UsersModule, SignInModule, ActivityModule],
  controllers: [TeamController],
  providers: [TeamService, InvitationsService, TeamActivityService, UsersErasureService],
  exports: [UsersErasureService],
})
export class TeamModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { SecondFactorsModule } from '../second-factors/second-factors.module.js';
import { UsersModule } from '../users/users.module.js';
import { ConfirmationService } from './confirmation.service.js';
import { DevicesService } from './devices.service.js';
import { FactorSetupService } from './factor-setup.service.js';
import { LinkMailsService } from './link-mails.service.js';
import { OwnUserService } from './own-user.service.js';
import { PasskeySetupService } from './passkey-setup.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { ProtectedChangesService } from './protected-changes.service.js';
import { SecondStepService } from './second-step.service.js';
import { SessionInvalidation } from './session-invalidation.service.js';
import { SessionLifeService } from './session-life.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInCountsRepository } from './sign-in-counts.repository.js';
import { SignUpService } from './sign-up.service.js';
import { ThrottleService } from './throttle.service.js';
import { UserLinksRepository } from './user-links.repository.js';
import { UserLinksService } from './user-links.service.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UserSessionsService } from './user-sessions.service.js';

/** Signs users up, in and out: sessions, links in e-mails, limits of attempts. */
@Module({
  imports: [AccountsModule, UsersModule, ActivityModule, SecondFactorsModule],
  providers: [
    SignUpService,
    SignInService,
    PasswordChangesService,
    OwnUserService,
    SessionLifeService,
    DevicesService,
    SecondStepService,
    ConfirmationService,
    FactorSetupService,
    PasskeySetupService,
    ProtectedChangesService,
    PendingSignInsRepository,
    UserSessionsService,
    SessionInvalidation,
    UserSessionsRepository,
    UserLinksService,
    LinkMailsService,
    UserLinksRepository,
    ThrottleService,
    SignInCountsRepository,
  ],
  exports: [UserSessionsService, SessionLifeService, UserLinksService, ThrottleService],
})
export class SignInModule {}

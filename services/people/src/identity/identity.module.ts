import { Module } from '@nestjs/common';
import { DataKeys, FreeTexts, KEY_WRAPPING } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { config } from '../config.js';
import { AccountClaims } from './accounts/account-claims.service.js';
import { AccountClocksService } from './accounts/account-clocks.service.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ActingService } from './accounts/acting.service.js';
import { ClaimsRepository } from './accounts/claims.repository.js';
import { EmailConfirmationService } from './accounts/email-confirmation.service.js';
import { UnclaimedAccounts } from './accounts/unclaimed-accounts.service.js';
import { ActivityRepository } from './activity/activity.repository.js';
import { ActivityService } from './activity/activity.service.js';
import { AccessRepository } from './keys/access.repository.js';
import { AccessService } from './keys/access.service.js';
import { KeyEndsService } from './keys/key-ends.service.js';
import { KeyInvalidationService } from './keys/key-invalidation.service.js';
import { KeySecretsService } from './keys/key-secrets.service.js';
import { KeysService } from './keys/keys.service.js';
import { RequesterService } from './keys/requester.service.js';
import { LinkMailsService } from './links/link-mails.service.js';
import { UserLinksRepository } from './links/user-links.repository.js';
import { UserLinksService } from './links/user-links.service.js';
import { FactorSetupService } from './own-user/factor-setup.service.js';
import { OwnAccountsService } from './own-user/own-accounts.service.js';
import { OwnUserService } from './own-user/own-user.service.js';
import { PasskeySetupService } from './own-user/passkey-setup.service.js';
import { PasswordChangesService } from './own-user/password-changes.service.js';
import { ProtectedChangesService } from './own-user/protected-changes.service.js';
import { AccountKeys } from './privacy/account-keys.service.js';
import { CommentsService } from './privacy/comments.service.js';
import { PrivacyRepository } from './privacy/privacy.repository.js';
import { PrivacyService } from './privacy/privacy.service.js';
import { UserTextsService } from './privacy/user-texts.service.js';
import { FactorsRepository } from './second-factors/factors.repository.js';
import { FactorsService } from './second-factors/factors.service.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { RecoveryCodesService } from './second-factors/recovery-codes.service.js';
import { ConfirmationService } from './sign-in/confirmation.service.js';
import { DevicesService } from './sign-in/devices.service.js';
import { PendingSignInsRepository } from './sign-in/pending-sign-ins.repository.js';
import { SecondStepService } from './sign-in/second-step.service.js';
import { SessionInvalidation } from './sign-in/session-invalidation.service.js';
import { SessionLifeService } from './sign-in/session-life.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { UserSessionsRepository } from './sign-in/user-sessions.repository.js';
import { UserSessionsService } from './sign-in/user-sessions.service.js';
import { ClaimsService } from './team/claims.service.js';
import { FamilyInvitationsService } from './team/family-invitations.service.js';
import { InvitationsService } from './team/invitations.service.js';
import { TeamController } from './team/team.controller.js';
import { TeamService } from './team/team.service.js';
import { TeamActivityService } from './team/team-activity.service.js';
import { UsersErasureService } from './team/users-erasure.service.js';
import { SignInCountsRepository } from './throttle/sign-in-counts.repository.js';
import { ThrottleService } from './throttle/throttle.service.js';
import { MembershipsService } from './users/memberships.service.js';
import { OwnersRepository } from './users/owners.repository.js';
import { OwnersService } from './users/owners.service.js';
import { PasswordsService } from './users/passwords.service.js';
import { RolesService } from './users/roles.service.js';
import { UsersRepository } from './users/users.repository.js';
import { UsersService } from './users/users.service.js';

/** Accounts with their keys, and users with their sign-ins, second factors and roles. */
@Module({
  controllers: [TeamController],
  providers: [
    { provide: MasterKeys, useValue: new MasterKeys('people', config) },
    { provide: KEY_WRAPPING, useExisting: AccountKeys },
    DataKeys,
    FreeTexts,
    AccountClocksService,
    AccountsRepository,
    AccountsService,
    ActingService,
    UnclaimedAccounts,
    AccountClaims,
    ClaimsRepository,
    EmailConfirmationService,
    ActivityRepository,
    ActivityService,
    AccessRepository,
    AccessService,
    KeyEndsService,
    KeyInvalidationService,
    KeySecretsService,
    KeysService,
    RequesterService,
    LinkMailsService,
    UserLinksRepository,
    UserLinksService,
    ConfirmationService,
    FactorSetupService,
    OwnAccountsService,
    OwnUserService,
    PasskeySetupService,
    PasswordChangesService,
    ProtectedChangesService,
    AccountKeys,
    CommentsService,
    PrivacyRepository,
    PrivacyService,
    UserTextsService,
    FactorsRepository,
    FactorsService,
    PasskeysService,
    RecoveryCodesService,
    DevicesService,
    SessionInvalidation,
    SessionLifeService,
    UserSessionsRepository,
    UserSessionsService,
    PendingSignInsRepository,
    SecondStepService,
    SignInCountsRepository,
    SignInService,
    ThrottleService,
    ClaimsService,
    FamilyInvitationsService,
    InvitationsService,
    TeamActivityService,
    TeamService,
    UsersErasureService,
    MembershipsService,
    OwnersRepository,
    OwnersService,
    PasswordsService,
    RolesService,
    UsersRepository,
    UsersService,
  ],
  exports: [
    AccountClocksService,
    AccountsRepository,
    AccountsService,
    ActingService,
    CommentsService,
    DataKeys,
    EmailConfirmationService,
    InvitationsService,
    KeyEndsService,
    PrivacyService,
    SessionLifeService,
    ThrottleService,
    UnclaimedAccounts,
    UserLinksService,
    UsersErasureService,
    UsersService,
  ],
})
export class IdentityModule {}

import { Controller } from '@nestjs/common';
import {
  confirmSignUp,
  finishPasswordReset,
  getDashboardMe,
  issueUserLink,
  type OutputOf,
  type ParsedOf,
  requestPasswordReset,
  requestSignInLink,
  signIn,
  signInWithLink,
  signOut,
  signOutEverywhere,
  signUp,
  verifyUserSession,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PasswordChangesService } from './password-changes.service.js';
import { SignInService } from './sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { UserLinksService } from './user-links.service.js';
import { UserSessionsService } from './user-sessions.service.js';

@Controller()
export class SignInController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly signIns: SignInService,
    private readonly resets: PasswordChangesService,
    private readonly sessions: UserSessionsService,
    private readonly links: UserLinksService,
  ) {}

  @Serve(verifyUserSession)
  verify(input: ParsedOf<typeof verifyUserSession>): Promise<OutputOf<typeof verifyUserSession>> {
    return this.sessions.verify(input);
  }

  @Serve(signUp)
  signUp(input: ParsedOf<typeof signUp>, context: RequestContext): Promise<OutputOf<typeof signUp>> {
    return this.signUps.request(input, context);
  }

  @Serve(confirmSignUp)
  confirm(input: ParsedOf<typeof confirmSignUp>, context: RequestContext): Promise<OutputOf<typeof confirmSignUp>> {
    return this.signUps.confirm(input, context);
  }

  @Serve(signIn)
  signIn(input: ParsedOf<typeof signIn>, context: RequestContext): Promise<OutputOf<typeof signIn>> {
    return this.signIns.signIn(input, context);
  }

  @Serve(requestSignInLink)
  requestLink(
    input: ParsedOf<typeof requestSignInLink>,
    context: RequestContext,
  ): Promise<OutputOf<typeof requestSignInLink>> {
    return this.signIns.requestLink(input, context);
  }

  @Serve(signInWithLink)
  signInWithLink(
    input: ParsedOf<typeof signInWithLink>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithLink>> {
    return this.signIns.signInWithLink(input, context);
  }

  @Serve(signOut)
  signOut(input: ParsedOf<typeof signOut>, context: RequestContext): Promise<OutputOf<typeof signOut>> {
    return this.signIns.signOut(input, context);
  }

  @Serve(signOutEverywhere)
  signOutEverywhere(
    _: ParsedOf<typeof signOutEverywhere>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signOutEverywhere>> {
    return this.signIns.signOutEverywhere(context);
  }

  @Serve(requestPasswordReset)
  requestReset(
    input: ParsedOf<typeof requestPasswordReset>,
    context: RequestContext,
  ): Promise<OutputOf<typeof requestPasswordReset>> {
    return this.resets.request(input, context);
  }

  @Serve(finishPasswordReset)
  finishReset(
    input: ParsedOf<typeof finishPasswordReset>,
    context: RequestContext,
  ): Promise<OutputOf<typeof finishPasswordReset>> {
    return this.resets.finish(input, context);
  }

  @Serve(getDashboardMe)
  getMe(input: ParsedOf<typeof getDashboardMe>, context: RequestContext): Promise<OutputOf<typeof getDashboardMe>> {
    return this.signIns.describeMe(input, context);
  }

  @Serve(issueUserLink)
  issue({ linkId }: ParsedOf<typeof issueUserLink>): Promise<OutputOf<typeof issueUserLink>> {
    return this.links.issue(linkId);
  }
}

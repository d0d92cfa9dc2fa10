import { Controller } from '@nestjs/common';
import {
  beginConfirmation,
  beginTotp,
  confirmSession,
  confirmTotp,
  type OutputOf,
  type ParsedOf,
  removeTotp,
  replaceRecoveryCodes,
  signInWithRecoveryCode,
  signInWithTotp,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ConfirmationService } from './confirmation.service.js';
import { FactorSetupService } from './factor-setup.service.js';
import { SecondStepService } from './second-step.service.js';

@Controller()
export class SecondFactorsController {
  constructor(
    private readonly setup: FactorSetupService,
    private readonly steps: SecondStepService,
    private readonly confirmations: ConfirmationService,
  ) {}

  @Serve(beginTotp)
  begin(_: ParsedOf<typeof beginTotp>, context: RequestContext): Promise<OutputOf<typeof beginTotp>> {
    return this.setup.begin(context);
  }

  @Serve(confirmTotp)
  confirm(input: ParsedOf<typeof confirmTotp>, context: RequestContext): Promise<OutputOf<typeof confirmTotp>> {
    return this.setup.confirm(input, context);
  }

  @Serve(removeTotp)
  remove(input: ParsedOf<typeof removeTotp>, context: RequestContext): Promise<OutputOf<typeof removeTotp>> {
    return this.setup.remove(input, context);
  }

  @Serve(replaceRecoveryCodes)
  replaceCodes(
    _: ParsedOf<typeof replaceRecoveryCodes>,
    context: RequestContext,
  ): Promise<OutputOf<typeof replaceRecoveryCodes>> {
    return this.setup.replaceCodes(context);
  }

  @Serve(beginConfirmation)
  beginConfirmation(
    input: ParsedOf<typeof beginConfirmation>,
    context: RequestContext,
  ): Promise<OutputOf<typeof beginConfirmation>> {
    return this.confirmations.begin(input, context);
  }

  @Serve(confirmSession)
  confirmSession(
    input: ParsedOf<typeof confirmSession>,
    context: RequestContext,
  ): Promise<OutputOf<typeof confirmSession>> {
    return this.confirmations.confirm(input, context);
  }

  @Serve(signInWithTotp)
  byTotp(input: ParsedOf<typeof signInWithTotp>, context: RequestContext): Promise<OutputOf<typeof signInWithTotp>> {
    return this.steps.completeByTotp(input, context);
  }

  @Serve(signInWithRecoveryCode)
  byRecoveryCode(
    input: ParsedOf<typeof signInWithRecoveryCode>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithRecoveryCode>> {
    return this.steps.completeByRecoveryCode(input, context);
  }
}

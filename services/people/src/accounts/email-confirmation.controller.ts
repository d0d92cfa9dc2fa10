import { Controller } from '@nestjs/common';
import { confirmEmail, issueEmailConfirmation, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { EmailConfirmationService } from './email-confirmation.service.js';

@Controller()
export class EmailConfirmationController {
  constructor(private readonly emails: EmailConfirmationService) {}

  @Serve(issueEmailConfirmation)
  issue(
    { accountId, confirmationId }: ParsedOf<typeof issueEmailConfirmation>,
    { principal }: RequestContext,
  ): Promise<OutputOf<typeof issueEmailConfirmation>> {
    return this.emails.issue(principal.env, accountId, confirmationId);
  }

  @Serve(confirmEmail)
  async confirm({ token }: ParsedOf<typeof confirmEmail>): Promise<Record<string, never>> {
    await this.emails.confirm(token);
    return {};
  }
}

import { Controller } from '@nestjs/common';
import { confirmEmail, issueEmailConfirmation, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { EmailConfirmationService } from '../../identity/accounts/email-confirmation.service.js';
import { InstructorEmailsService } from '../instructors/instructor-emails.service.js';

@Controller()
export class EmailConfirmationController {
  constructor(
    private readonly emails: EmailConfirmationService,
    private readonly ofInstructors: InstructorEmailsService,
  ) {}

  @Serve(issueEmailConfirmation)
  issue({
    accountId,
    instructorId,
    confirmationId,
  }: ParsedOf<typeof issueEmailConfirmation>): Promise<OutputOf<typeof issueEmailConfirmation>> {
    return instructorId
      ? this.ofInstructors.issue(accountId, { instructorId, confirmationId })
      : this.emails.issue(accountId, confirmationId);
  }

  @Serve(confirmEmail)
  async confirm({ token }: ParsedOf<typeof confirmEmail>): Promise<Record<string, never>> {
    if (!(await this.ofInstructors.confirm(token))) await this.emails.confirm(token);
    return {};
  }
}

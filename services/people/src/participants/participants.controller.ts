import { Controller } from '@nestjs/common';
import {
  describeCalendar,
  describeParticipants,
  describeRecipients,
  type OutputOf,
  type ParsedOf,
  type Participants,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ParticipantsService } from './participants.service.js';
import { RecipientsService } from './recipients.service.js';

@Controller()
export class ParticipantsController {
  constructor(
    private readonly participants: ParticipantsService,
    private readonly recipients: RecipientsService,
  ) {}

  @Serve(describeParticipants)
  async describe(input: ParsedOf<typeof describeParticipants>, context: RequestContext): Promise<Participants> {
    return this.participants.describe(input, context);
  }

  @Serve(describeRecipients)
  describeRecipients(
    { recipients }: ParsedOf<typeof describeRecipients>,
    { principal }: RequestContext,
  ): Promise<OutputOf<typeof describeRecipients>> {
    return this.recipients.describe(principal.env, recipients);
  }

  @Serve(describeCalendar)
  describeCalendar(
    input: ParsedOf<typeof describeCalendar>,
    { principal }: RequestContext,
  ): Promise<OutputOf<typeof describeCalendar>> {
    return this.recipients.describeCalendar(principal.env, input);
  }
}

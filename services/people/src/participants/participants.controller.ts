import { Controller } from '@nestjs/common';
import { describeParticipants, type ParsedOf, type Participants } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ParticipantsService } from './participants.service.js';

@Controller()
export class ParticipantsController {
  constructor(private readonly participants: ParticipantsService) {}

  @Serve(describeParticipants)
  async describe(input: ParsedOf<typeof describeParticipants>, context: RequestContext): Promise<Participants> {
    return this.participants.describe(input, context);
  }
}

import { Controller } from '@nestjs/common';
import { describeParty, type ParsedOf, type Party } from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { PartiesService } from './parties.service.js';

@Controller()
export class PartiesController {
  constructor(private readonly parties: PartiesService) {}

  @Serve(describeParty)
  async describe(input: ParsedOf<typeof describeParty>, call: Call): Promise<Party> {
    return this.parties.describe(input, call);
  }
}

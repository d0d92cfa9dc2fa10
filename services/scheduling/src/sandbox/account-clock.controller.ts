import { Controller } from '@nestjs/common';
import { type AppliedClock, applyClockToTimes, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountClockService } from './account-clock.service.js';

@Controller()
export class AccountClockController {
  constructor(private readonly clocks: AccountClockService) {}

  @Serve(applyClockToTimes)
  apply(input: ParsedOf<typeof applyClockToTimes>, context: RequestContext): Promise<AppliedClock> {
    return this.clocks.apply(input, context);
  }
}

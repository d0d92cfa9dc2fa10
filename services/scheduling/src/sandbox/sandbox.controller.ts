import { Controller } from '@nestjs/common';
import { type AppliedClock, addDemoPool, applyClockToTimes, type ParsedOf, resetTimes } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountClockService } from './account-clock.service.js';
import { AccountResetService } from './account-reset.service.js';

@Controller()
export class SandboxController {
  constructor(
    private readonly clocks: AccountClockService,
    private readonly resets: AccountResetService,
  ) {}

  @Serve(applyClockToTimes)
  applyClock(input: ParsedOf<typeof applyClockToTimes>, context: RequestContext): Promise<AppliedClock> {
    return this.clocks.apply(input, context);
  }

  @Serve(resetTimes)
  async reset(input: ParsedOf<typeof resetTimes>, context: RequestContext): Promise<{ done: boolean }> {
    return { done: await this.resets.reset(input, context) };
  }

  @Serve(addDemoPool)
  async addDemoPool({ id }: ParsedOf<typeof addDemoPool>, context: RequestContext): Promise<Record<string, never>> {
    await this.resets.addDemoPool(id, context);
    return {};
  }
}

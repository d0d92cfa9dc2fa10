import { Controller } from '@nestjs/common';
import { advanceSandboxClock, getSandboxClock, type ParsedOf, type SandboxClock } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { SandboxClockService } from './sandbox-clock.service.js';

@Controller()
export class SandboxClockController {
  constructor(private readonly clocks: SandboxClockService) {}

  @Serve(getSandboxClock)
  get(_input: ParsedOf<typeof getSandboxClock>, context: RequestContext): Promise<SandboxClock> {
    return this.clocks.get(context);
  }

  @Serve(advanceSandboxClock)
  advance(input: ParsedOf<typeof advanceSandboxClock>, context: RequestContext): Promise<SandboxClock> {
    return this.clocks.advance(input, context);
  }
}

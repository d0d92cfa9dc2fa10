import { Controller } from '@nestjs/common';
import { type ParsedOf, resetSandbox, type SandboxClock } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { SandboxResetService } from './sandbox-reset.service.js';

@Controller()
export class ResetsController {
  constructor(private readonly resets: SandboxResetService) {}

  @Serve(resetSandbox)
  reset(_input: ParsedOf<typeof resetSandbox>, context: RequestContext): Promise<SandboxClock> {
    return this.resets.reset(context);
  }
}

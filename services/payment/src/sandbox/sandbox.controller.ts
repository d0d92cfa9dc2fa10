import { Controller } from '@nestjs/common';
import { addDemoMethod, type ParsedOf, resetPayments } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountResetService } from './account-reset.service.js';

@Controller()
export class SandboxController {
  constructor(private readonly resets: AccountResetService) {}

  @Serve(resetPayments)
  async reset(input: ParsedOf<typeof resetPayments>, context: RequestContext): Promise<{ done: boolean }> {
    return { done: await this.resets.reset(input, context) };
  }

  @Serve(addDemoMethod)
  async addDemoMethod(input: ParsedOf<typeof addDemoMethod>, context: RequestContext): Promise<Record<string, never>> {
    await this.resets.addDemoMethod(input, context);
    return {};
  }
}

import { Controller } from '@nestjs/common';
import { assessMember, getMemberProgress, type ParsedOf, type Progress } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ProgressService } from './progress.service.js';

@Controller()
export class ProgressController {
  constructor(private readonly progress: ProgressService) {}

  @Serve(getMemberProgress)
  async get(input: ParsedOf<typeof getMemberProgress>, context: RequestContext): Promise<Progress> {
    return this.progress.get(input.member_id, context);
  }

  @Serve(assessMember)
  async assess(input: ParsedOf<typeof assessMember>, context: RequestContext): Promise<Progress> {
    return this.progress.assess(input, context);
  }
}

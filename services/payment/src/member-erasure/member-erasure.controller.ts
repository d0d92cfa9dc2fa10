import { Controller } from '@nestjs/common';
import { eraseTextsOfBookings, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { MemberErasureService } from './member-erasure.service.js';

@Controller()
export class MemberErasureController {
  constructor(private readonly erasure: MemberErasureService) {}

  @Serve(eraseTextsOfBookings)
  async erase(input: ParsedOf<typeof eraseTextsOfBookings>, context: RequestContext): Promise<{ done: boolean }> {
    return { done: await this.erasure.erase(input, context) };
  }
}

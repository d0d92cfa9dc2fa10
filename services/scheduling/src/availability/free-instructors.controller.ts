import { Controller } from '@nestjs/common';
import { findFreeInstructors, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { FreeInstructorsService } from './free-instructors.service.js';

@Controller()
export class FreeInstructorsController {
  constructor(private readonly instructors: FreeInstructorsService) {}

  @Serve(findFreeInstructors)
  find(
    input: ParsedOf<typeof findFreeInstructors>,
    context: RequestContext,
  ): Promise<Answered<typeof findFreeInstructors>> {
    return this.instructors.find(input, context);
  }
}

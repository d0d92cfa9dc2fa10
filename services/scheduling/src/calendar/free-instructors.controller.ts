import { Controller } from '@nestjs/common';
import { findFreeInstructors, type ParsedOf } from '@swim/contracts';
import { type Answered, type Call, Serve } from '@swim/messaging';
import { FreeInstructorsService } from './free-instructors.service.js';

@Controller()
export class FreeInstructorsController {
  constructor(private readonly instructors: FreeInstructorsService) {}

  @Serve(findFreeInstructors)
  find(input: ParsedOf<typeof findFreeInstructors>, call: Call): Promise<Answered<typeof findFreeInstructors>> {
    return this.instructors.find(input, call);
  }
}

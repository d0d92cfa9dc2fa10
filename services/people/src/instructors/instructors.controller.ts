import { Controller } from '@nestjs/common';
import {
  createInstructor,
  getInstructor,
  type Instructor,
  listInstructors,
  type Page,
  type ParsedOf,
  updateInstructor,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { InstructorSearchService } from './instructor-search.service.js';
import { InstructorsService } from './instructors.service.js';

@Controller()
export class InstructorsController {
  constructor(
    private readonly instructors: InstructorsService,
    private readonly search: InstructorSearchService,
  ) {}

  @Serve(createInstructor)
  async create(input: ParsedOf<typeof createInstructor>, call: Call): Promise<Instructor> {
    return this.instructors.create(input, call);
  }

  @Serve(getInstructor)
  async get(input: ParsedOf<typeof getInstructor>, call: Call): Promise<Instructor> {
    return this.instructors.get(input.instructor_id, call);
  }

  @Serve(listInstructors)
  async list(input: ParsedOf<typeof listInstructors>, call: Call): Promise<Page<Instructor>> {
    return this.search.list(input, call);
  }

  @Serve(updateInstructor)
  async update(input: ParsedOf<typeof updateInstructor>, call: Call): Promise<Instructor> {
    return this.instructors.update(input, call);
  }
}

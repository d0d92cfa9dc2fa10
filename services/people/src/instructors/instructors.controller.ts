import { Controller } from '@nestjs/common';
import {
  createInstructor,
  findTeachingHours,
  getInstructor,
  type Instructor,
  type ListedInstructor,
  listInstructors,
  listOwnInstructors,
  type OutputOf,
  type Page,
  type ParsedOf,
  updateInstructor,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { InstructorSearchService } from './instructor-search.service.js';
import { InstructorsService } from './instructors.service.js';
import { TeachingHoursService } from './teaching-hours.service.js';

@Controller()
export class InstructorsController {
  constructor(
    private readonly instructors: InstructorsService,
    private readonly search: InstructorSearchService,
    private readonly hours: TeachingHoursService,
  ) {}

  @Serve(createInstructor)
  async create(input: ParsedOf<typeof createInstructor>, context: RequestContext): Promise<Instructor> {
    return this.instructors.create(input, context);
  }

  @Serve(getInstructor)
  async get(input: ParsedOf<typeof getInstructor>, context: RequestContext): Promise<Instructor> {
    return this.instructors.get(input.instructor_id, context);
  }

  @Serve(listInstructors)
  async list(input: ParsedOf<typeof listInstructors>, context: RequestContext): Promise<Page<ListedInstructor>> {
    return this.search.list(input, context);
  }

  @Serve(findTeachingHours)
  findHours(
    input: ParsedOf<typeof findTeachingHours>,
    context: RequestContext,
  ): Promise<OutputOf<typeof findTeachingHours>> {
    return this.hours.find(input, context);
  }

  @Serve(listOwnInstructors)
  async listOwn(input: ParsedOf<typeof listOwnInstructors>, context: RequestContext): Promise<Page<Instructor>> {
    return this.instructors.listOwn(input, context);
  }

  @Serve(updateInstructor)
  async update(input: ParsedOf<typeof updateInstructor>, context: RequestContext): Promise<Instructor> {
    return this.instructors.update(input, context);
  }
}

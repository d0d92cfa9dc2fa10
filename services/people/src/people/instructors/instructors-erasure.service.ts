import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@swim/platform';
import { InstructorsRepository } from './instructors.repository.js';

/** Erases the instructors of a school. */
@Injectable()
export class InstructorsErasure {
  constructor(private readonly instructors: InstructorsRepository) {}

  /** Ids of all of a school's instructors, emptied ones included, or of those made before an instant. */
  findIdsOf(schoolId: string, before?: Date): Promise<string[]> {
    return this.instructors.findIdsOfSchool(schoolId, 'all', before);
  }

  /** Empties a school's instructors, or those made before an instant; they have no readers from then on. Idempotent. */
  async erase(schoolId: string, context: RequestContext, before?: Date): Promise<void> {
    const left = await this.instructors.findIdsOfSchool(schoolId, 'left', before);
    await Promise.all(left.map((id) => this.instructors.erase(context, id)));
  }
}

import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import type { RequestContext } from '@swim/platform';
import { InstructorsRepository } from './instructors.repository.js';

/** Erases the instructors of a school. */
@Injectable()
export class InstructorsErasure {
  constructor(private readonly instructors: InstructorsRepository) {}

  /** Ids of all of a school's instructors, emptied ones included. */
  findIdsOf(env: Environment, schoolId: string): Promise<string[]> {
    return this.instructors.findIdsOfSchool(env, schoolId, 'all');
  }

  /** Empties a school's instructors, which have no readers from then on. Idempotent. */
  async erase(schoolId: string, context: RequestContext): Promise<void> {
    const left = await this.instructors.findIdsOfSchool(context.principal.env, schoolId, 'left');
    for (const id of left) await this.instructors.erase(context, id);
  }
}

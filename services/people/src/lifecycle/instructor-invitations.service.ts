import { Injectable } from '@nestjs/common';
import { createInvitation, ENVIRONMENTS, type Invitation, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, inEnvironment, type RequestContext, systemContext } from '@swim/platform';
import { InvitationsService } from '../identity/team/invitations.service.js';
import type { InstructorOfUser } from '../identity/users/users.service.js';
import { InstructorsService } from '../people/instructors/instructors.service.js';

/** Invitations, also of the school's instructors. */
@Injectable()
export class InstructorInvitationsService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly instructors: InstructorsService,
  ) {}

  @Serve(createInvitation)
  async create(
    { instructor_id: id, ...invited }: ParsedOf<typeof createInvitation>,
    context: RequestContext,
  ): Promise<Invitation> {
    const instructor = id === undefined ? null : await this.findOwn(id, context);
    return this.invitations.create({ ...invited, instructor }, context);
  }

  /** An instructor of the account. Users belong to neither environment: it may be one of either. Throws `not_found`. */
  private async findOwn(id: string, { principal }: RequestContext): Promise<InstructorOfUser> {
    for (const env of ENVIRONMENTS) {
      const context = systemContext(env, principal.accountId);
      const found = await inEnvironment(env, () => this.instructors.findTeacher(id, context));
      if (found?.schoolId === principal.accountId) return { id, env };
    }
    throw new AppError('not_found', { field: 'instructor_id' });
  }
}

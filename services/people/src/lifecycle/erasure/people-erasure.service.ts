import { Inject, Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { UsersErasureService } from '../../identity/team/users-erasure.service.js';
import { InstructorsErasure } from '../../people/instructors/instructors-erasure.service.js';
import { MembersErasure } from '../../people/members/members-erasure.service.js';
import { ReviewsErasure } from '../../people/reviews/reviews-erasure.service.js';
import { AccountLifeService } from './account-life.service.js';
import type { OwnStep } from './erasure.rules.js';
import type { ErasureDocument } from './erasure.schema.js';

/** Erases this service's data of an account. */
@Injectable()
export class PeopleErasureService {
  @Inject(UsersErasureService) private readonly users!: UsersErasureService;

  constructor(
    private readonly members: MembersErasure,
    private readonly instructors: InstructorsErasure,
    private readonly reviews: ReviewsErasure,
    private readonly remains: AccountRemains,
    private readonly life: AccountLifeService,
  ) {}

  /** Takes a step as far as the deadline permits; returns whether nothing is left to do. Idempotent. */
  async take(step: OwnStep, { _id, accountId, erasedAt }: ErasureDocument, context: RequestContext): Promise<boolean> {
    switch (step) {
      case 'members':
        return this.members.eraseAll(accountId, erasedAt, context);
      case 'people':
        return this.eraseRest(accountId, context);
      case 'account':
        // Their keys are wrapped by that of the account.
        await this.users.erase(context.principal.env, accountId);
        await this.life.empty(context.principal.env, accountId);
        return true;
      case 'member':
        await this.members.eraseAgain(_id, accountId, erasedAt, context);
        return true;
    }
  }

  /** Erases everything but the members and the account. */
  private async eraseRest(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    await this.members.forgetSchool(env, accountId);
    // A review in progress during the first round is found in the second, by the ids of emptied instructors.
    await this.reviews.erase(env, accountId, await this.instructors.findIdsOf(env, accountId));
    await this.instructors.erase(accountId, context);
    return this.remains.erase(env, accountId, context.deadline);
  }
}

import { Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { InstructorsErasure } from '../instructors/instructors-erasure.service.js';
import { MembersErasure } from '../members/members-erasure.service.js';
import { ReviewsErasure } from '../reviews/reviews-erasure.service.js';

/** Erases this service's data of an account. */
@Injectable()
export class PeopleErasureService {
  constructor(
    private readonly members: MembersErasure,
    private readonly instructors: InstructorsErasure,
    private readonly reviews: ReviewsErasure,
    private readonly remains: AccountRemains,
  ) {}

  /** Erases the account's members; returns whether none is left. Idempotent. */
  eraseMembers(accountId: string, at: Date, context: RequestContext): Promise<boolean> {
    return this.members.eraseAll(accountId, at, context);
  }

  /** Erases one member that a restored backup may contain. Idempotent. */
  eraseMemberAgain(id: string, accountId: string, at: Date, context: RequestContext): Promise<void> {
    return this.members.eraseAgain(id, accountId, at, context);
  }

  /** Erases everything but the members, as far as the deadline permits; returns whether nothing is left. Idempotent. */
  async eraseRest(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    await this.members.forgetSchool(env, accountId);
    // A review in progress during the first round is found in the second, by the ids of emptied instructors.
    await this.reviews.erase(env, accountId, await this.instructors.findIdsOf(env, accountId));
    await this.instructors.erase(accountId, context);
    return this.remains.erase(env, accountId, context.deadline);
  }
}

import { Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { InstructorsErasure } from '../instructors/instructors-erasure.service.js';
import { MembersErasure } from '../members/members-erasure.service.js';
import { ReviewsErasure } from '../reviews/reviews-erasure.service.js';

/** What this service keeps of an account. */
@Injectable()
export class PeopleErasureService {
  constructor(
    private readonly members: MembersErasure,
    private readonly instructors: InstructorsErasure,
    private readonly reviews: ReviewsErasure,
    private readonly remains: AccountRemains,
  ) {}

  /** Erases the account's members; whether none is left. Safe to repeat. */
  eraseMembers(accountId: string, at: Date, context: RequestContext): Promise<boolean> {
    return this.members.eraseAll(accountId, at, context);
  }

  /** Erases one member, which a backup may have brought back. Safe to repeat. */
  eraseMemberAgain(id: string, accountId: string, at: Date, context: RequestContext): Promise<void> {
    return this.members.eraseAgain(id, accountId, at, context);
  }

  /** All but the members, as much as fits into the deadline; whether nothing is left. Safe to repeat. */
  async eraseRest(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    await this.members.forgetSchool(env, accountId);
    // A review that was being written in the first round is found in the second, when its instructor is emptied.
    await this.reviews.erase(env, accountId, await this.instructors.findIdsOf(env, accountId));
    await this.instructors.erase(accountId, context);
    return this.remains.erase(env, accountId, context.deadline);
  }
}

import { Injectable } from '@nestjs/common';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { ConnectionsErasure } from '../../people/connections/connections-erasure.service.js';
import { InstructorsErasure } from '../../people/instructors/instructors-erasure.service.js';
import { MembersErasure } from '../../people/members/members-erasure.service.js';
import { ReviewsErasure } from '../../people/reviews/reviews-erasure.service.js';
import type { RunningReset } from './account-resets.service.js';

/** Empties what a test account owns of this service, as an erasure does; the account and its keys stay. */
@Injectable()
export class PeopleResetService {
  constructor(
    private readonly members: MembersErasure,
    private readonly instructors: InstructorsErasure,
    private readonly reviews: ReviewsErasure,
    private readonly resets: AccountResets,
    private readonly connections: ConnectionsErasure,
  ) {}

  /** Erases the members, with their events; returns whether none is left. Idempotent. */
  eraseMembers({ accountId, before }: RunningReset, context: RequestContext): Promise<boolean> {
    return this.members.eraseAll(accountId, before, context, before);
  }

  /** Empties everything but the members, and the records of the requests `opIds`; returns whether nothing is left. Idempotent. */
  async empty(
    { accountId, before, offsetMs }: RunningReset,
    opIds: readonly string[],
    context: RequestContext,
  ): Promise<boolean> {
    if (!(await this.connections.end(accountId, context, before))) return false;
    // Notes have the time of the account's clock.
    await this.members.forgetNotes(accountId, new Date(before.getTime() + offsetMs));
    await this.reviews.erase(accountId, await this.instructors.findIdsOf(accountId, before), before);
    await this.instructors.erase(accountId, context, before);
    return this.resets.empty({ accountId, before, opIds }, context.deadline);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { UsersErasureService } from '../../identity/team/users-erasure.service.js';
import { ConnectionsErasure } from '../../people/connections/connections-erasure.service.js';
import { InstructorsErasure } from '../../people/instructors/instructors-erasure.service.js';
import { MembersErasure } from '../../people/members/members-erasure.service.js';
import { ReviewsErasure } from '../../people/reviews/reviews-erasure.service.js';
import { AccountLifeService } from './account-life.service.js';
import type { ErasureDocument } from './erasure.schema.js';

/** Erases this service's data of an account. */
@Injectable()
export class PeopleErasureService {
  @Inject(ConnectionsErasure) private readonly connections!: ConnectionsErasure;
  @Inject(UsersErasureService) private readonly users!: UsersErasureService;

  constructor(
    private readonly members: MembersErasure,
    private readonly instructors: InstructorsErasure,
    private readonly reviews: ReviewsErasure,
    private readonly remains: AccountRemains,
    private readonly life: AccountLifeService,
  ) {}

  /** Erases the members as far as the deadline permits; returns whether none is left. Idempotent. */
  eraseMembers({ accountId, erasedAt }: ErasureDocument): Promise<boolean> {
    return this.members.eraseAll(accountId, erasedAt, systemContext(accountId));
  }

  /** Erases what a restored backup has of a member. Idempotent. */
  async eraseMemberAgain({ _id, accountId, erasedAt }: ErasureDocument): Promise<boolean> {
    await this.members.eraseAgain(_id, accountId, erasedAt, systemContext(accountId));
    return true;
  }

  /** Empties the account itself, and removes its users, whose keys are wrapped by that of the account. Idempotent. */
  async emptyAccount(accountId: string): Promise<boolean> {
    await this.users.erase(accountId);
    await this.life.empty(accountId);
    return true;
  }

  /** Erases everything but the members and the account, as far as the deadline permits; returns whether nothing is left. Idempotent. */
  async eraseRest(accountId: string): Promise<boolean> {
    const context = systemContext(accountId);
    if (!(await this.connections.end(accountId, context))) return false;
    await this.members.forgetSchool(accountId);
    // A review in progress during the first round is found in the second, by the ids of emptied instructors.
    await this.reviews.erase(accountId, await this.instructors.findIdsOf(accountId));
    await this.instructors.erase(accountId, context);
    return this.remains.erase(accountId, context.deadline);
  }
}

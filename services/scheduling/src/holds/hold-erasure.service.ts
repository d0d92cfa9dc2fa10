import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldsRepository } from './holds.repository.js';

const BATCH = 50;

/** Erases the holds of an account; of a school also other accounts' holds on its instructors' time. */
@Injectable()
export class HoldErasure {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly ends: HoldReleaseService,
    private readonly turns: ErasureTurns,
  ) {}

  /**
   * Erases as much as the deadline permits of all holds, or of those made before an instant; returns whether nothing is left.
   * Idempotent.
   */
  erase(accountId: string, context: RequestContext, before?: Date): Promise<boolean> {
    const find = () => this.holds.findActiveIdsOf(accountId, BATCH, before);
    return this.turns.take({ find, erase: (id) => this.ends.withdraw(id) }, context);
  }

  /** Ends the holds for a member of an account, but for offers, which end with their entries. Idempotent. */
  async eraseOf(memberId: string, accountId: string): Promise<void> {
    const active = await this.holds.findActiveOf(accountId);
    const own = active.filter(({ memberIds, waitlistId }) => !waitlistId && memberIds.includes(memberId));
    for (const { _id } of own) await this.ends.withdraw(_id);
  }
}

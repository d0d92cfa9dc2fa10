import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import { type RequestContext, systemContext } from '@swim/platform';
import { voidBy } from '../participants/connection-end.rules.js';
import type { ConnectionEnd } from '../participants/connections.service.js';
import { WaitlistRepository } from './storage/waitlist.repository.js';
import { WaitlistService } from './waitlist.service.js';

const BATCH = 50;

/** Erases the waitlist entries of an account; of a school also other accounts' entries for its instructors. */
@Injectable()
export class LineErasure {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly lines: WaitlistService,
    private readonly turns: ErasureTurns,
  ) {}

  /**
   * Erases as much as the deadline permits of all entries, or of those made before an instant; returns whether nothing is left.
   * Idempotent.
   */
  erase(accountId: string, context: RequestContext, before?: Date): Promise<boolean> {
    const find = () => this.waitlist.findOpenIdsOf(accountId, BATCH, before);
    return this.turns.take({ find, erase: (id) => this.lines.leave({ waitlist_id: id }, context) }, context);
  }

  /** Ends the places in line that an account has taken before its connection with a school ended; returns whether none is left. */
  async leaveUnconnected(ended: ConnectionEnd, context: RequestContext): Promise<boolean> {
    const work = { ...systemContext(ended.accountId), deadline: context.deadline };
    for (const { filter } of voidBy(ended)) {
      const find = () => this.waitlist.findOpenIds(filter, BATCH);
      const erase = (id: string) => this.lines.leave({ waitlist_id: id }, work);
      if (!(await this.turns.take({ find, erase }, work))) return false;
    }
    return true;
  }
}

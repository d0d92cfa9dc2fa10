import { Injectable } from '@nestjs/common';
import { type Erasable, ErasureTurns } from '@swim/mongo';
import { Clock, type RequestContext } from '@swim/platform';
import { ConnectionsRepository } from './connections.repository.js';

const BATCH = 250;

/** Ends connections when an account is erased or reset: it ceases to read them. */
@Injectable()
export class ConnectionsErasure {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly clock: Clock,
    private readonly turns: ErasureTurns,
  ) {}

  /**
   * Ends the account's connections, or for a reset those that were not changed since `before`; returns whether none is left. After the
   * reset of a school its families may book again. Idempotent.
   */
  end(accountId: string, context: RequestContext, before?: Date): Promise<boolean> {
    const erase: Erasable['erase'] = (id, work) =>
      this.connections.leave(id, accountId, { by: before ? 'time' : 'school', at: this.clock.now() }, work);
    return this.turns.take({ find: () => this.connections.findIdsOf(accountId, BATCH, before), erase }, context);
  }

  /** Removes an erased member from its account's connections. Idempotent. */
  forgetMember(accountId: string, memberId: string): Promise<void> {
    return this.connections.forgetMember(accountId, memberId);
  }
}

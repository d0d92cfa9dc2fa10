import { Injectable } from '@nestjs/common';
import { type Erasable, ErasureTurns } from '@swim/mongo';
import { Clock, type RequestContext } from '@swim/platform';
import { ConnectionSaga } from './connection-saga.service.js';
import { ConnectionsRepository } from './connections.repository.js';

const BATCH = 250;

/** Ends connections when an account is erased or reset: it ceases to read them. */
@Injectable()
export class ConnectionsErasure {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly saga: ConnectionSaga,
    private readonly clock: Clock,
    private readonly turns: ErasureTurns,
  ) {}

  /**
   * Ends the account's connections, or for a reset those that were not changed since `before`; returns whether none is left. After the
   * reset of a school its families may book again. Idempotent.
   */
  end(accountId: string, context: RequestContext, before?: Date): Promise<boolean> {
    const by = before ? 'time' : 'school';
    const erase: Erasable['erase'] = async (id, work) => {
      const left = await this.connections.leave(id, accountId, { by, at: this.clock.now() }, work);
      if (left) await this.saga.begin(left);
    };
    return this.turns.take({ find: () => this.connections.findIdsOf(accountId, BATCH, before), erase }, context);
  }

  /** Removes an erased member from its account's connections. Idempotent. */
  forgetMember(accountId: string, memberId: string): Promise<void> {
    return this.connections.forgetMember(accountId, memberId);
  }
}

import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import { AppError, Clock, type RequestContext, systemContext } from '@swim/platform';
import { voidBy } from '../../participants/connection-end.rules.js';
import type { ConnectionEnd } from '../../participants/connections.service.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { CancellationService } from './cancellation.service.js';
import { SessionClaimsService } from './session-claims.service.js';

const BATCH = 250;

/** Cancels what an account has booked with a school before their connection ended, or before it has left a member out. */
@Injectable()
export class UnconnectedSessions {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cancellations: CancellationService,
    private readonly claims: SessionClaimsService,
    private readonly turns: ErasureTurns,
    private readonly clock: Clock,
  ) {}

  /** Cancels as much as the deadline permits, as by the side that has made it void; returns whether nothing is left. Idempotent. */
  async cancel(ended: ConnectionEnd, { deadline }: Pick<RequestContext, 'deadline'>): Promise<boolean> {
    for (const { by, notify, filter } of voidBy(ended)) {
      const context = { ...systemContext(by === 'school' ? ended.schoolId : ended.accountId), deadline };
      const cancelled = { notify_participants: notify, refund_as: 'payment_method' as const };
      const isDone = await this.turns.take(
        {
          find: () => this.sessions.findIdsToCome(filter, this.clock.now(), BATCH),
          erase: (session_id, work) =>
            this.cancellations.cancel({ session_id, ...cancelled }, { ...work, isQuiet: !notify }).catch(unlessOver),
          afterMany: async (ids) => this.claims.letGoAll(await this.sessions.findByIds(ids)),
        },
        context,
      );
      if (!isDone) return false;
    }
    return true;
  }
}

// The session was completed concurrently.
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
}

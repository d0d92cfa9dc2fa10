import { Inject, Injectable } from '@nestjs/common';
import { DataKeys, type Erasable, ErasureTurns } from '@swim/mongo';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { CancellationService } from './cancellation.service.js';
import { SessionClaimsService } from './session-claims.service.js';

const BATCH = 250;
const MEMBERS = 1_000;

/** Erases the lessons of an account: cancels future ones in its name, removes texts and destroys its members' keys. */
@Injectable()
export class LessonsErasure {
  @Inject(SessionClaimsService) private readonly claims!: SessionClaimsService;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cancellations: CancellationService,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
    private readonly turns: ErasureTurns,
  ) {}

  /** Erases as much as the deadline permits; returns whether nothing is left. Idempotent. */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const toCome = {
      find: () => this.sessions.findIdsToCome({ readers: accountId }, this.clock.now(), BATCH),
      ...this.cancelling(true),
    };
    const written = {
      find: () => this.sessions.findIdsWritten({ readers: accountId }, BATCH),
      erase: (id: string) => this.sessions.clearTexts(context, id),
    };
    // The event of each erased member destroys its key too, but may be delivered after the account's erasure is done.
    const keys = {
      find: () => this.findMembersWithKey(accountId),
      erase: (memberId: string) => this.keys.destroy(memberId),
    };
    for (const each of [toCome, written, keys]) {
      if (!(await this.turns.take(each, context))) return false;
    }
    return true;
  }

  /** Cancels what an account has booked before an instant, as far as the deadline permits; returns whether all is. Idempotent. */
  cancelBefore(accountId: string, before: Date, context: RequestContext): Promise<boolean> {
    const find = () => this.sessions.findIdsOpen(accountId, before, BATCH);
    return this.turns.take({ find, ...this.cancelling(false) }, context);
  }

  private async findMembersWithKey(accountId: string): Promise<string[]> {
    // With that of the account itself: a school’s encrypts why it cancels a lesson.
    const members = [accountId, ...(await this.sessions.findMembersOf(accountId))];
    for (let from = 0; from < members.length; from += MEMBERS) {
      const left = await this.keys.findUndestroyed(members.slice(from, from + MEMBERS));
      if (left.length > 0) return left.slice(0, BATCH);
    }
    return [];
  }

  private cancelling(notify_participants: boolean): Omit<Erasable, 'find'> {
    const refund_as = 'payment_method' as const;
    return {
      erase: (session_id, work) =>
        this.cancellations.cancel({ session_id, notify_participants, refund_as }, work).catch(unlessOver),
      afterMany: async (ids) => this.claims.letGoAll(await this.sessions.findByIds(ids)),
    };
  }
}

// The session was completed concurrently.
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
}

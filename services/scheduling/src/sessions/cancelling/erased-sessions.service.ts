import { Inject, Injectable } from '@nestjs/common';
import { DataKeys, ErasedMembers } from '@swim/mongo';
import { AppError, Clock, systemContext } from '@swim/platform';
import { CalendarService } from '../../calendar/calendar.service.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { CancellationService } from './cancellation.service.js';

/** Sessions made for members of one account. */
export interface MadeForMembers {
  accountId: string;
  sessions: { memberId: string }[];
}

/** Erases the sessions of a member: cancels future ones and removes texts. */
@Injectable()
export class ErasedSessionsService {
  @Inject(CalendarService) private readonly calendar!: CalendarService;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cancellations: CancellationService,
    private readonly erased: ErasedMembers,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** Which of these members were erased. */
  findErased(memberIds: readonly string[]): Promise<string[]> {
    return this.erased.findAmong(memberIds);
  }

  /** Undoes the sessions made for a member that was erased meanwhile; returns whether there was one. */
  async eraseLate({ accountId, sessions }: MadeForMembers): Promise<boolean> {
    const erased = await this.erased.findAmong(sessions.map(({ memberId }) => memberId));
    for (const memberId of erased) await this.erase(memberId, accountId);
    return erased.length > 0;
  }

  /** Erases all existing sessions of a member that is marked as erased: those made later are erased by who makes them. Idempotent. */
  async erase(memberId: string, accountId: string): Promise<void> {
    const context = systemContext(accountId);
    for (const session_id of await this.sessions.findIdsToCome({ memberId }, this.clock.now())) {
      await this.cancellations
        .cancel({ session_id, notify_participants: true, refund_as: 'payment_method' }, context)
        .catch(unlessOver);
    }
    // Texts of a group may mention any of its members. Plans first: a session that is made of one that was read before is found by who
    // makes it.
    await this.calendar.clearPlans(memberId);
    for (const id of await this.sessions.findIdsWithTexts(memberId)) await this.sessions.clearTexts(context, id);
    // Without the key, the texts in backups of the sessions are unreadable too.
    await this.keys.destroy(memberId);
  }
}

// The session was completed concurrently.
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
}

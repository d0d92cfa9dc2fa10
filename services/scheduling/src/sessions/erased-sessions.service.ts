import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { DataKeys, ErasedMembers } from '@swim/mongo';
import { AppError, Clock, systemContext } from '@swim/platform';
import { CancellationService } from './cancellation.service.js';
import { SessionsRepository } from './sessions.repository.js';

/** Work done for members of one account. */
interface MadeForMembers {
  accountId: string;
  sessions: { memberId: string }[];
}

/** What becomes of the sessions of a member that is erased: those to come are cancelled, what was written goes. */
@Injectable()
export class ErasedSessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cancellations: CancellationService,
    private readonly erased: ErasedMembers,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** All sessions that there are, and from now on those that are made by work that began before. Safe to repeat. */
  async erase(env: Environment, memberId: string, accountId: string): Promise<void> {
    await this.erased.mark(env, memberId, accountId);
    await this.clear(env, memberId, accountId);
  }

  /** Which of these members were erased. */
  findErased(env: Environment, memberIds: readonly string[]): Promise<string[]> {
    return this.erased.findAmong(env, memberIds);
  }

  /** Undoes what was just made for a member that was erased meanwhile; whether there was one. */
  async eraseLate(env: Environment, { accountId, sessions }: MadeForMembers): Promise<boolean> {
    const erased = await this.erased.findAmong(
      env,
      sessions.map(({ memberId }) => memberId),
    );
    for (const memberId of erased) await this.clear(env, memberId, accountId);
    return erased.length > 0;
  }

  private async clear(env: Environment, memberId: string, accountId: string): Promise<void> {
    const context = systemContext(env, accountId);
    for (const session_id of await this.sessions.findIdsToCome(env, { memberId }, this.clock.now())) {
      await this.cancellations.cancel({ session_id, notify_participants: true }, context).catch(unlessOver);
    }
    // What was written for a group may tell of any of its members.
    for (const id of await this.sessions.findIdsWithTexts(env, memberId)) await this.sessions.clearTexts(context, id);
    // Backups of the sessions forget with it what was written.
    await this.keys.destroy(env, memberId);
  }
}

// It has been completed in this very moment.
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
}

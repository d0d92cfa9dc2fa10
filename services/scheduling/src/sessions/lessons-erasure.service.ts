import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { DataKeys, ErasureTurns } from '@swim/mongo';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { CancellationService } from './cancellation.service.js';
import { SessionsRepository } from './sessions.repository.js';

const BATCH = 50;
const MEMBERS = 1_000;

/**
 * What becomes of the lessons of an erased account: those to come are cancelled in its name, what people wrote goes, with
 * its members' keys.
 */
@Injectable()
export class LessonsErasure {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cancellations: CancellationService,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
    private readonly turns: ErasureTurns,
  ) {}

  /** As much as fits into the deadline; whether nothing is left. Safe to repeat. */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    const toCome = {
      find: () => this.sessions.findIdsToCome(env, { readers: accountId }, this.clock.now(), BATCH),
      erase: (id: string) => this.cancel(id, context),
    };
    const written = {
      find: () => this.sessions.findIdsWritten(env, { readers: accountId }, BATCH),
      erase: (id: string) => this.sessions.clearTexts(context, id),
    };
    // Each member's erasure destroys its key too, by an event that may come later than the account is done.
    const keys = {
      find: () => this.findMembersWithKey(env, accountId),
      erase: (memberId: string) => this.keys.destroy(env, memberId),
    };
    for (const each of [toCome, written, keys]) {
      if (!(await this.turns.take(each, context))) return false;
    }
    return true;
  }

  private async findMembersWithKey(env: Environment, accountId: string): Promise<string[]> {
    const members = await this.sessions.findMembersOf(env, accountId);
    for (let from = 0; from < members.length; from += MEMBERS) {
      const left = await this.keys.findUndestroyed(env, members.slice(from, from + MEMBERS));
      if (left.length > 0) return left.slice(0, BATCH);
    }
    return [];
  }

  private cancel(session_id: string, context: RequestContext): Promise<unknown> {
    return this.cancellations.cancel({ session_id, notify_participants: true }, context).catch(unlessOver);
  }
}

// It has been completed in this very moment.
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
}

import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { ErasureTurns } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { PrivacyService } from '../privacy/privacy.service.js';
import { MembersRepository } from './members.repository.js';

const BATCH = 50;

/** What becomes of members when an account is erased. */
@Injectable()
export class MembersErasure {
  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    private readonly turns: ErasureTurns,
  ) {}

  /** Erases the account's members like single ones; whether none is left. Safe to repeat. */
  eraseAll(accountId: string, at: Date, context: RequestContext): Promise<boolean> {
    const find = () => this.members.findIdsOf(context.principal.env, accountId, BATCH);
    return this.turns.take({ find, erase: (id) => this.erase(id, at, context) }, context);
  }

  /** Erases one member, which a backup may have brought back. Safe to repeat. */
  async eraseAgain(id: string, accountId: string, at: Date, context: RequestContext): Promise<void> {
    await this.members.eraseAgain(context, { id, accountId, at });
    await this.privacy.forget(context.principal.env, id);
  }

  /** Takes from members of others what an erased school wrote of them. Safe to repeat. */
  forgetSchool(env: Environment, schoolId: string): Promise<void> {
    return this.members.forgetSchool(env, schoolId);
  }

  // Cut off in between, the key is destroyed by the event that tells of the erasure.
  private async erase(id: string, at: Date, context: RequestContext): Promise<void> {
    await this.members.erase(context, id, at);
    await this.privacy.forget(context.principal.env, id);
  }
}

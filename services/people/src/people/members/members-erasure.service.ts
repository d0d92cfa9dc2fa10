import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { PrivacyService } from '../../identity/privacy/privacy.service.js';
import { MembersRepository } from './members.repository.js';

const BATCH = 250;

/** Erases members during an account's erasure. */
@Injectable()
export class MembersErasure {
  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    private readonly turns: ErasureTurns,
  ) {}

  /** Erases the account's members like single ones, or those made before an instant; returns whether none is left. Idempotent. */
  eraseAll(accountId: string, at: Date, context: RequestContext, before?: Date): Promise<boolean> {
    const find = () => this.members.findIdsOf(accountId, BATCH, before);
    return this.turns.take({ find, erase: (id, work) => this.erase(id, at, work) }, context);
  }

  /** Erases one member that a restored backup may contain. Idempotent. */
  async eraseAgain(id: string, accountId: string, at: Date, context: RequestContext): Promise<void> {
    await this.members.eraseAgain(context, { id, accountId, at });
    await this.privacy.forget(id);
  }

  /** Removes an erased school's texts from other accounts' members. Idempotent. */
  forgetSchool(schoolId: string): Promise<void> {
    return this.members.forgetSchool(schoolId);
  }

  /** Removes a school's notes from before an instant about other accounts' members. Idempotent. */
  async forgetNotes(schoolId: string, before: Date): Promise<void> {
    let page: string[] = [];
    do {
      page = await this.members.findIdsOfPupils(schoolId, page.at(-1) ?? '', BATCH);
      await this.members.dropNotes(page, schoolId, before);
    } while (page.length === BATCH);
  }

  // After a crash in between, the consumer of the member's erasure event destroys the key.
  private async erase(id: string, at: Date, context: RequestContext): Promise<void> {
    await this.members.erase(context, id, at);
    await this.privacy.forget(id);
  }
}

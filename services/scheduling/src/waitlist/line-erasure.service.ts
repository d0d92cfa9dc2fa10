import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { WaitlistRepository } from './waitlist.repository.js';
import { WaitlistService } from './waitlist.service.js';

const BATCH = 50;

/** What becomes of the places in line of an erased account, of a school's with those of others in its lines. */
@Injectable()
export class LineErasure {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly lines: WaitlistService,
    private readonly turns: ErasureTurns,
  ) {}

  /** As much as fits into the deadline; whether nothing is left. Safe to repeat. */
  erase(accountId: string, context: RequestContext): Promise<boolean> {
    const find = () => this.waitlist.findOpenIdsOf(context.principal.env, accountId, BATCH);
    return this.turns.take({ find, erase: (id) => this.lines.leave(id, context) }, context);
  }
}

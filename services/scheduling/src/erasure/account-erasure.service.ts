import { Injectable } from '@nestjs/common';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { HoldErasure } from '../holds/hold-erasure.service.js';
import { LessonsErasure } from '../sessions/lessons-erasure.service.js';
import { LineErasure } from '../waitlist/line-erasure.service.js';

/** What becomes of the times of an account that is erased. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly lines: LineErasure,
    private readonly holds: HoldErasure,
    private readonly lessons: LessonsErasure,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * As much as fits into the deadline; whether nothing is left. First the places in line, so that nothing is offered to the
   * account. Safe to repeat.
   */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    return (
      (await this.lines.erase(accountId, context)) &&
      (await this.holds.erase(accountId, context)) &&
      (await this.lessons.erase(accountId, context)) &&
      this.remains.erase(context.principal.env, accountId, context.deadline)
    );
  }
}

import { Injectable } from '@nestjs/common';
import { eraseTimesOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountRemains } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { HoldErasure } from '../holds/hold-erasure.service.js';
import { LessonsErasure } from '../sessions/cancelling/lessons-erasure.service.js';
import { TaughtLessonsErasure } from '../teaching/taught-lessons-erasure.service.js';
import { LineErasure } from '../waitlist/line-erasure.service.js';

/** Erases an account's data in scheduling. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly lines: LineErasure,
    private readonly holds: HoldErasure,
    private readonly lessons: LessonsErasure,
    private readonly taught: TaughtLessonsErasure,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. The waitlist entries go first, so that the
   * account gets no new offer. Idempotent.
   */
  @Serve(eraseTimesOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseTimesOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    const done =
      (await this.lines.erase(accountId, context)) &&
      (await this.holds.erase(accountId, context)) &&
      (await this.taught.erase(accountId, context)) &&
      (await this.lessons.erase(accountId, context)) &&
      (await this.remains.erase(accountId, context.deadline));
    return { done };
  }
}

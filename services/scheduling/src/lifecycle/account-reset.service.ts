import { Inject, Injectable } from '@nestjs/common';
import { addDemoPool, DEMO_POOL, type ParsedOf, resetTimes } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { HoldErasure } from '../holds/hold-erasure.service.js';
import { PoolsService } from '../pools/pools.service.js';
import { LessonsErasure } from '../sessions/cancelling/lessons-erasure.service.js';
import { TaughtLessonsErasure } from '../teaching/taught-lessons-erasure.service.js';
import { LineErasure } from '../waitlist/line-erasure.service.js';

/** Resets what test accounts have in scheduling. */
@Injectable()
export class AccountResetService {
  @Inject(TaughtLessonsErasure) private readonly taught!: TaughtLessonsErasure;

  constructor(
    private readonly lines: LineErasure,
    private readonly holds: HoldErasure,
    private readonly lessons: LessonsErasure,
    private readonly pools: PoolsService,
    private readonly resets: AccountResets,
  ) {}

  /**
   * Takes a phase as far as the deadline permits; returns whether it is done. The waitlist entries end first, so that the account
   * gets no new offer. Idempotent.
   */
  @Serve(resetTimes)
  async reset(
    { accountId, before: text, phase }: ParsedOf<typeof resetTimes>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    const before = new Date(text);
    if (phase === 'empty') return { done: await this.resets.empty({ accountId, before }, context.deadline) };
    const done =
      (await this.lines.erase(accountId, context, before)) &&
      (await this.holds.erase(accountId, context, before)) &&
      (await this.taught.erase(accountId, context, before)) &&
      (await this.lessons.cancelBefore(accountId, before, context));
    return { done };
  }

  /** Makes the pool of a school's demo data. Idempotent. */
  @Serve(addDemoPool)
  async addDemoPool({ id }: ParsedOf<typeof addDemoPool>, context: RequestContext): Promise<Record<string, never>> {
    await this.pools.create(DEMO_POOL, {
      ...context,
      principal: { ...context.principal, kind: 'school' },
      newId: () => id,
    });
    return {};
  }
}

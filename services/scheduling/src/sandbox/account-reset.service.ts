import { Injectable } from '@nestjs/common';
import { DEMO_POOL, type ParsedOf, type resetTimes } from '@swim/contracts';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { HoldErasure } from '../holds/hold-erasure.service.js';
import { PoolsService } from '../pools/pools.service.js';
import { LessonsErasure } from '../sessions/lessons-erasure.service.js';
import { LineErasure } from '../waitlist/line-erasure.service.js';

/** Resets what test accounts have in scheduling. */
@Injectable()
export class AccountResetService {
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
  async reset(
    { accountId, before: text, phase }: ParsedOf<typeof resetTimes>,
    context: RequestContext,
  ): Promise<boolean> {
    const before = new Date(text);
    if (phase === 'empty') return this.resets.empty({ accountId, before }, context.deadline);
    return (
      (await this.lines.erase(accountId, context, before)) &&
      (await this.holds.erase(accountId, context, before)) &&
      this.lessons.cancelBefore(accountId, before, context)
    );
  }

  /** Makes the pool of a school's demo data. Idempotent. */
  async addDemoPool(id: string, context: RequestContext): Promise<void> {
    await this.pools.create(DEMO_POOL, {
      ...context,
      principal: { ...context.principal, kind: 'school' },
      newId: () => id,
    });
  }
}

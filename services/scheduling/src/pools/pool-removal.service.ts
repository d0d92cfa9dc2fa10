import { Injectable } from '@nestjs/common';
import { describeParticipants, type ParsedOf, removePool } from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import type { PoolDocument } from './pool.schema.js';
import { PoolsRepository } from './pools.repository.js';
import { PoolsService } from './pools.service.js';

/**
 * Removes pools that no future session uses. The removal closes the pool and then reads its days; a claim locks its days and
 * then reads the pool: one of the two sees the other, and no session loses its pool. After a crash the pool stays closed for
 * some seconds and is then reopened.
 */
@Injectable()
export class PoolRemovalService {
  constructor(
    private readonly own: PoolsService,
    private readonly pools: PoolsRepository,
    private readonly calendar: CalendarService,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Past sessions keep the pool's id. `invalid_state` when a session is to come, or time is held for one. */
  @Serve(removePool)
  async remove({ pool_id: id }: ParsedOf<typeof removePool>, context: RequestContext): Promise<Record<string, never>> {
    try {
      return await this.removeOwn(id, context);
    } catch (error) {
      // Another run of the request may have removed it, also since this one began.
      if (await this.pools.hasRemoved(context, id)) return {};
      throw error;
    }
  }

  private async removeOwn(id: string, context: RequestContext): Promise<Record<string, never>> {
    await this.own.getOwn(id, context);
    await this.requireUnused(id, context);
    if (context.dryRun) return {};
    const closed = await this.pools.close(context, id);
    try {
      await this.requireUnused(id, context);
      await this.removeClosed(closed, context);
    } catch (error) {
      await this.pools.reopen(closed).catch(() => undefined);
      throw error;
    }
    return {};
  }

  private async requireUnused(id: string, context: RequestContext): Promise<void> {
    const now = await this.nowOf(context);
    if (!(await this.calendar.isTakenAfter(id, now.getTime()))) return;
    throw new AppError('invalid_state', {
      message: 'Sessions are still to take place in this pool. Move or cancel them first.',
    });
  }

  private async nowOf(context: RequestContext): Promise<Date> {
    const { env } = context.principal;
    if (env === 'live') return this.clock.now();
    const caller = await this.rpc.call(describeParticipants, { instructorId: null, memberIds: [] }, context);
    return accountTime(this.clock, env, caller.clockOffsetMs);
  }

  private async removeClosed(closed: PoolDocument, context: RequestContext): Promise<void> {
    if (await this.pools.removeClosed(context, closed)) return;
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }
}

import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import type { AccountClock } from '@swim/mongo';
import { type Sweep } from '@swim/platform';
import { PoolsService } from '../pools/pools.service.js';
import { OffersService } from './offers.service.js';
import { WaitlistRepository } from './waitlist.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/** Each second expires the entries whose requested time has passed, and offers the time that more lanes of a pool have made free. */
@Injectable()
export class WaitlistSweep {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly pools: PoolsService,
    private readonly offers: OffersService,
  ) {}

  @Periodic('waitlist', SWEEP_MS)
  async endPast(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      await sweep.each(
        await this.waitlist.findDue(env, BATCH),
        ({ _id }) => this.waitlist.markPast(env, _id),
        (entry, delayMs) => this.waitlist.postpone(env, entry, delayMs),
      );
    }
  }

  @Periodic('offers of new lanes', SWEEP_MS)
  async offerNewLanes(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      await sweep.each(
        await this.pools.findWidened(env, BATCH),
        async (pool) => {
          await this.offers.offerFree(env, { schoolId: pool.accountId });
          // Last: a crash leaves it due, and the entries that were offered time wait no longer.
          await this.pools.markOffered(env, pool, null);
        },
        (pool, delayMs) => this.pools.markOffered(env, pool, delayMs),
      );
    }
  }

  /** Applies the clock of a test account to its entries, and expires those whose requested time has passed then. */
  async applyClock(clock: AccountClock): Promise<number> {
    await this.waitlist.applyClock(clock);
    const due = await this.waitlist.findDueOf('test', clock.accountId, BATCH);
    for (const { _id } of due) await this.waitlist.markPast('test', _id);
    return due.length;
  }
}

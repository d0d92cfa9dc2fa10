import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import type { AccountClock } from '@swim/mongo';
import { type Sweep } from '@swim/platform';
import { WaitlistRepository } from './waitlist.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/** Each second expires the entries whose requested time has passed. */
@Injectable()
export class WaitlistSweep {
  constructor(private readonly waitlist: WaitlistRepository) {}

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

  /** Applies the clock of a test account to its entries, and expires those whose requested time has passed then. */
  async applyClock(clock: AccountClock): Promise<number> {
    await this.waitlist.applyClock(clock);
    const due = await this.waitlist.findDueOf('test', clock.accountId, BATCH);
    for (const { _id } of due) await this.waitlist.markPast('test', _id);
    return due.length;
  }
}

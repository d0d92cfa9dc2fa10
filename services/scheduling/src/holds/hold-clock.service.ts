import { Inject, Injectable } from '@nestjs/common';
import { type AccountClock, offsetAt } from '@swim/mongo';
import { LOGGER, type Logger } from '@swim/platform';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldsRepository } from './holds.repository.js';

/** Holds and offers under the clocks of test accounts. */
@Injectable()
export class HoldClockService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly ends: HoldReleaseService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Applies the clock of a test account to its holds, and ends those that are over then; returns how many ended. */
  async applyClock(clock: AccountClock): Promise<number> {
    await this.holds.applyClock(clock);
    const now = this.holds.now();
    const active = await this.holds.findActiveOf(clock.accountId);
    let ended = 0;
    for (const hold of active.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now)) {
      // The sweep retries what fails here.
      const isOver = await this.ends.lapse(hold).catch((error: unknown) => {
        this.logger.error({ err: error, objectId: hold._id }, 'hold not ended yet');
        return false;
      });
      if (isOver) ended += 1;
    }
    return ended;
  }

  /** The next offset of the account's clock at which a hold of it ends; null without one. */
  async nextOffset(accountId: string): Promise<number | null> {
    const now = this.holds.now();
    const active = await this.holds.findActiveOf(accountId);
    const open = active.flatMap((hold) =>
      hold.expiresAt && hold.expiresAt > now ? offsetAt(hold, hold.expiresAt, now) : [],
    );
    return open.length === 0 ? null : Math.min(...open);
  }
}

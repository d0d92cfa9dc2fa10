import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import { type Logger, Sweep } from '@swim/platform';
import { OffersService } from '../waitlist/offers.service.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldEndsService } from './hold-ends.service.js';
import { HoldKeepingService } from './hold-keeping.service.js';
import { HoldsRepository } from './holds.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;
const PATIENCE_MS = 90_000;

/** Ends each second the holds whose time is over, and finishes what a crash left of those being made. */
@Injectable()
export class HoldSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly holds: HoldsRepository,
    private readonly keeping: HoldKeepingService,
    private readonly ends: HoldEndsService,
    private readonly offers: OffersService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('holds', SWEEP_MS, () => this.lookAfterAll(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async lookAfterAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const hold of await this.holds.findDue(env, BATCH)) {
        // One that cannot be looked after now must not keep the others waiting.
        await this.lookAfter(env, hold).catch((error) =>
          this.logger.error({ err: error, holdId: hold._id }, 'hold not looked after yet'),
        );
      }
    }
  }

  // Of an offer that was cut off the one it was meant for knows nothing, and cannot ask again.
  private async finish(env: Environment, hold: HoldDocument): Promise<HoldDocument | null> {
    const finished = await this.keeping.finish(env, hold);
    return finished ?? (hold.waitlistId ? this.offers.claimAgain(env, hold) : null);
  }

  // The time of an offer may still be on its way from whoever gave it up.
  private putOffOrForget(env: Environment, { _id, waitlistId, createdAt }: HoldDocument): Promise<void> {
    const isYoung = createdAt.getTime() > this.holds.now().getTime() - PATIENCE_MS;
    return waitlistId && isYoung ? this.holds.postpone(env, _id) : this.holds.forgetClaiming(env, _id);
  }

  private async lookAfter(env: Environment, hold: HoldDocument): Promise<void> {
    const active = hold.status === 'claiming' ? await this.finish(env, hold) : hold;
    if (!active) return this.putOffOrForget(env, hold);
    if (active.expiresAt && active.expiresAt <= this.holds.now()) return this.ends.lapse(env, active);
    if (active.waitlistId) await this.offers.offered(env, active);
    await this.holds.scheduleEnd(env, active._id);
  }
}

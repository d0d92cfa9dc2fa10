import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import { type Logger, Sweep } from '@swim/platform';
import { WaitlistRepository } from './waitlist.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/** Ends each second the waiting of those whose time is past. */
@Injectable()
export class WaitlistSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly waitlist: WaitlistRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sweep = new Sweep('waitlist', SWEEP_MS, () => this.endPast(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async endPast(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const { _id } of await this.waitlist.findDue(env, BATCH)) await this.waitlist.markPast(env, _id);
    }
  }
}

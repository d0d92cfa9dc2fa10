import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import { type Logger, Sweep } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { SessionClaimsService } from './session-claims.service.js';
import { SessionsRepository } from './sessions.repository.js';
import { SettlementService } from './settlement.service.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/** Finishes each second what a crash left: claims half taken or half settled, moves and releases half done. */
@Injectable()
export class RecoveryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly calendar: CalendarService,
    private readonly sessions: SessionsRepository,
    private readonly settlement: SettlementService,
    private readonly releases: SessionClaimsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('recovery', SWEEP_MS, () => this.recover(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async recover(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const claim of await this.calendar.findDue(env, BATCH)) {
        await this.attempt(() => this.settlement.recover(env, claim), { claimId: claim._id });
      }
      for (const session of await this.sessions.findDue(env, BATCH)) {
        await this.attempt(() => this.releases.recover(env, session), { sessionId: session._id });
      }
    }
  }

  // One that cannot be recovered now must not keep the others waiting.
  private async attempt(work: () => Promise<void>, what: object): Promise<void> {
    await work().catch((error) => this.logger.error({ err: error, ...what }, 'not recovered yet'));
  }
}

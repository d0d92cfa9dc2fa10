import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { type Sweep } from '@swim/platform';
import { CalendarService } from '../../calendar/calendar.service.js';
import { SessionClaimsService } from '../cancelling/session-claims.service.js';
import { SessionCleanUpsRepository } from '../cancelling/session-clean-ups.repository.js';
import { FulfilmentService } from './fulfilment.service.js';

const SWEEP_MS = 1_000;
const BATCH = 100;
// Claims share commands when they are recovered side by side: after an outage there may be thousands.
const CLAIMS_AT_ONCE = 200;
// A run is bounded: one that cannot postpone any finds the same again.
const MOST_BATCHES = 25;

/** Each second finishes work that a crash interrupted: claims taken or fulfilled in part, moves and releases. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly cleanUps: SessionCleanUpsRepository,
    private readonly fulfilment: FulfilmentService,
    private readonly releases: SessionClaimsService,
  ) {}

  @Periodic('recovery', SWEEP_MS)
  async recover(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      await this.recoverClaims(env, sweep);
      await sweep.each(
        await this.cleanUps.findDue(env, BATCH),
        (session) => this.releases.recover(env, session),
        (session, delayMs) => this.cleanUps.postpone(env, session, delayMs),
      );
    }
  }

  private async recoverClaims(env: Environment, sweep: Sweep): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const due = await this.calendar.findDue(env, CLAIMS_AT_ONCE);
      await Promise.all(
        due.map((each) =>
          sweep.attempt(
            each,
            (claim) => this.fulfilment.recover(env, claim),
            (claim, delayMs) => this.calendar.postpone(env, claim, delayMs),
          ),
        ),
      );
      if (due.length < CLAIMS_AT_ONCE) return;
    }
  }
}

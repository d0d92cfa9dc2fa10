import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { CalendarService, type Claim } from '../../calendar/calendar.service.js';
import { SessionClaimsService } from '../cancelling/session-claims.service.js';
import { SessionCleanUpsRepository } from '../cancelling/session-clean-ups.repository.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { FulfilmentService } from './fulfilment.service.js';

/** Finishes work that a crash interrupted: claims taken or fulfilled in part, moves and releases. */
@Injectable()
export class RecoveryService {
  constructor(
    readonly calendar: CalendarService,
    readonly cleanUps: SessionCleanUpsRepository,
    private readonly fulfilment: FulfilmentService,
    private readonly releases: SessionClaimsService,
  ) {}

  @WhenDue(({ calendar }: RecoveryService) => calendar.unfinished)
  recoverClaim(claim: Claim): Promise<void> {
    return this.fulfilment.recover(claim);
  }

  @WhenDue(({ cleanUps }: RecoveryService) => cleanUps.due)
  recoverSession(session: SessionDocument): Promise<void> {
    return this.releases.recover(session);
  }
}

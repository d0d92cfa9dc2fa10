import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { type VacatedTime, VacatedTimeService } from '../calendar/vacated-time.service.js';
import { OffersService } from './offers.service.js';

/** A session that leaves claims, and whether those who wait for its time are still to be asked. */
export interface Leaving {
  sessionId: string;
  claimIds: string[];
  shouldOffer: boolean;
}

/** Time that sessions leave goes to those who wait for it, and only then to everybody. */
@Injectable()
export class VacanciesService {
  constructor(
    private readonly vacated: VacatedTimeService,
    private readonly offers: OffersService,
  ) {}

  /** The session leaves its claims; answers the time that somebody waits for, which is to be passed on. Safe to repeat. */
  async leave(env: Environment, { sessionId, claimIds, shouldOffer }: Leaving): Promise<VacatedTime[]> {
    const isAwaited = async (instructorId: string, released: { startMs: number; endMs: number }) =>
      shouldOffer && this.offers.isAwaited(env, instructorId, released);
    const vacated: VacatedTime[] = [];
    for (const claimId of claimIds) {
      const time = await this.vacated.leave(env, claimId, sessionId, isAwaited);
      if (time) vacated.push(time);
    }
    return vacated;
  }

  /** Offers the time to those who wait for it, and then lets it go. Safe to repeat. */
  async passOn(env: Environment, vacated: VacatedTime[]): Promise<void> {
    for (const time of vacated) {
      await this.offers.passOn(env, time.instructorId, time.released);
      await this.vacated.giveBack(env, time);
    }
  }
}

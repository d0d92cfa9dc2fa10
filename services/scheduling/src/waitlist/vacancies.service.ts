import { Injectable } from '@nestjs/common';
import { type VacatedTime, VacatedTimeService } from '../calendar/vacated-time.service.js';
import { OffersService } from './offers.service.js';

/** A session that leaves claims, and whether its time is still to be offered. */
export interface Leaving {
  sessionId: string;
  claimIds: string[];
  shouldOffer: boolean;
}

/** Offers the time that sessions leave to the waitlist before releasing it. */
@Injectable()
export class VacanciesService {
  constructor(
    private readonly vacated: VacatedTimeService,
    private readonly offers: OffersService,
  ) {}

  /** Removes the session from its claims; returns the time that waitlist entries request, to be offered next. Idempotent. */
  async leave({ sessionId, claimIds, shouldOffer }: Leaving): Promise<VacatedTime[]> {
    const isAwaited = async (instructorId: string, released: { startMs: number; endMs: number }) =>
      shouldOffer && this.offers.isAwaited(instructorId, released);
    const vacated: VacatedTime[] = [];
    for (const claimId of claimIds) {
      const time = await this.vacated.leave(claimId, sessionId, isAwaited);
      if (time) vacated.push(time);
    }
    return vacated;
  }

  /** Ends the claims that only these sessions hold, unless somebody waits for their instructor; returns their ids. Idempotent. */
  leaveTogether(sessions: readonly { _id: string; drop: string[] }[]): Promise<Set<string>> {
    return this.vacated.leaveTogether(sessions, (ids) => this.offers.findAwaited(ids));
  }

  /** Offers the time to the waitlist, before it is released and after. Idempotent. */
  async passOn(vacated: VacatedTime[]): Promise<void> {
    for (const time of vacated) {
      const giveBack = () => this.vacated.giveBack(time);
      await this.offers.passOn(time.instructorId, [time.released], giveBack);
      // Last: after a crash, recovery finds by the claim what is left to offer.
      await this.vacated.finish(time);
    }
  }
}

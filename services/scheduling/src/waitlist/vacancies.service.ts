import { Injectable } from '@nestjs/common';
import { type VacatedTime, VacatedTimeService } from '../calendar/vacated-time.service.js';
import { OffersService } from './offers.service.js';

/** Sessions and lessons that leave a claim, and whether their time is still to be offered. */
export interface Leaving {
  leaving: string[];
  claimId: string;
  shouldOffer: boolean;
}

/** Offers the time that sessions leave to the waitlist before releasing it. */
@Injectable()
export class VacanciesService {
  constructor(
    private readonly vacated: VacatedTimeService,
    private readonly offers: OffersService,
  ) {}

  /** Removes them from the claim; returns the time that waitlist entries request, to be offered next. Idempotent. */
  leave({ leaving, claimId, shouldOffer }: Leaving): Promise<VacatedTime | null> {
    return this.vacated.leave(
      claimId,
      leaving,
      async (instructorId, released) => shouldOffer && this.offers.isAwaited(instructorId, released),
    );
  }

  /** Ends the claims that only these hold, unless somebody waits for their instructor; returns their ids. Idempotent. */
  leaveTogether(claimIds: string[], leaving: ReadonlySet<string>): Promise<Set<string>> {
    return this.vacated.leaveTogether(claimIds, leaving, (ids) => this.offers.findAwaited(ids));
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

import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { OffersService } from '../waitlist/offers.service.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldKeepingService } from './hold-keeping.service.js';
import { HoldsRepository } from './holds.repository.js';

/** How holds end: a booking has their time, or it goes back, first to those who wait for it. */
@Injectable()
export class HoldEndsService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly calendar: CalendarService,
    private readonly keeping: HoldKeepingService,
    private readonly offers: OffersService,
  ) {}

  /** A booking has the time for good. Safe to repeat. */
  async converted(env: Environment, holdId: string, bookingId: string): Promise<void> {
    const hold = await this.holds.markConverted(env, holdId, bookingId);
    if (hold?.waitlistId) await this.offers.accepted(env, hold.waitlistId, bookingId);
  }

  /** The hold's time is over. Safe to repeat. */
  async lapse(env: Environment, hold: HoldDocument): Promise<void> {
    if (!(await this.giveBack(env, hold))) return this.holds.postpone(env, hold._id);
    // The hold is what a crash is found by: it goes last.
    if (hold.waitlistId) await this.offers.lapsed(env, hold.waitlistId, hold._id);
    await this.holds.markExpired(env, hold._id);
  }

  /** The hold is not wanted any more; false when a booking has its time. Safe to repeat. */
  async withdraw(env: Environment, holdId: string): Promise<boolean> {
    const hold = await this.holds.findAny(env, holdId);
    if (!hold) return true;
    if (hold.status === 'converted' || !(await this.giveBack(env, hold))) return false;
    if (hold.waitlistId) await this.offers.lapsed(env, hold.waitlistId, holdId);
    await this.holds.forget(env, holdId);
    return true;
  }

  // From the moment the claim has the key of an ended hold no booking can have it any more, and it is safe to pass on.
  private async giveBack(env: Environment, hold: HoldDocument): Promise<boolean> {
    await this.holds.markOver(env, hold._id);
    const claim = await this.keeping.end(env, hold);
    if (!claim) return !(await this.isBooked(env, hold));
    await this.passOn(env, hold, claim);
    await this.calendar.release(env, claim._id);
    return true;
  }

  private async isBooked(env: Environment, { claimId }: HoldDocument): Promise<boolean> {
    const claim = claimId === null ? null : await this.calendar.findClaim(env, claimId);
    return claim !== null && claim.state !== 'released';
  }

  private async passOn(env: Environment, { instructorId }: HoldDocument, claim: Claim): Promise<void> {
    for (const { startMs, endMs, holders } of claim.elements.filter(({ resource }) => resource === instructorId)) {
      await this.offers.passOn(env, instructorId, { startMs, endMs, ceded: { claimId: claim._id, holders } });
    }
  }
}

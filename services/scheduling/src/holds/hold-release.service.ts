import { Injectable } from '@nestjs/common';
import { BackgroundWorkService } from '../calendar/background-work.service.js';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldObserverRegistry } from './hold-observer.service.js';
import { HoldPlacementService } from './hold-placement.service.js';
import { HoldsRepository } from './holds.repository.js';

// The waitlist comes first, but not forever: a hold must end, whatever keeps its time from being offered.
const OFFERING_MS = 10 * 60_000;

/** Ends holds: a booking takes their time, or it is released, first to the waitlist. */
@Injectable()
export class HoldReleaseService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly calendar: CalendarService,
    private readonly placement: HoldPlacementService,
    private readonly observers: HoldObserverRegistry,
    private readonly background: BackgroundWorkService,
  ) {}

  /** A booking has taken the time for good. Idempotent. */
  async converted(holdId: string, bookingId: string): Promise<void> {
    const hold = await this.holds.markConverted(holdId, bookingId);
    if (hold?.waitlistId) await this.observers.observer.accepted(hold, bookingId);
  }

  /** The school takes the time of a hold back: no booking that comes later gets it. Idempotent. */
  async takeBack(holdId: string): Promise<void> {
    await this.holds.markTakenBack(holdId);
  }

  /** The time of a hold was taken from it: it has expired. Idempotent. */
  async lapseOf(holdId: string): Promise<void> {
    const hold = await this.holds.findAny(holdId);
    if (hold?.status === 'active') await this.lapse(hold);
  }

  /** The hold has expired; false while a booking converts it. Idempotent. */
  async lapse(hold: HoldDocument): Promise<boolean> {
    if (!(await this.giveBack(hold))) {
      await this.holds.postpone(hold._id);
      return false;
    }
    // Recovery finds a crash by the hold: it is changed last.
    const { observer } = this.observers;
    if (hold.waitlistId) await (hold.isTakenBack ? observer.returned(hold) : observer.lapsed(hold));
    await this.holds.markExpired(hold._id);
    return true;
  }

  /**
   * Removes a hold; false when a booking has its time. The waitlist is offered the time after the request has returned.
   * Idempotent.
   */
  async withdraw(holdId: string): Promise<boolean> {
    const hold = await this.holds.findAny(holdId);
    if (!hold) return true;
    if (hold.status === 'converted') return false;
    const claim = await this.end(hold);
    if (!claim && (await this.isBooked(hold))) return false;
    if (hold.waitlistId) await this.observers.observer.lapsed(hold);
    if (hold.status === 'active' && (await this.isAwaited(hold))) {
      // Recovery finds a crash by the hold: it is changed last.
      await this.holds.hide(holdId);
      this.background.start(() => this.release(hold, claim).then(() => this.holds.forget(holdId)));
      return true;
    }
    if (claim) await this.calendar.release(claim._id);
    await this.holds.forget(holdId);
    return true;
  }

  private async giveBack(hold: HoldDocument): Promise<boolean> {
    const claim = await this.end(hold);
    if (!claim && (await this.isBooked(hold))) return false;
    if (claim || hold.expiresAt!.getTime() > this.holds.now().getTime() - OFFERING_MS) await this.release(hold, claim);
    return true;
  }

  // Once the claim has the key of an ended hold, no booking can convert it, and its time can be offered to the waitlist.
  private async end(hold: HoldDocument): Promise<Claim | null> {
    await this.holds.markOver(hold._id);
    return this.placement.end(hold);
  }

  /** Without a claim, another run has released the time, or the claim has expired: the time may be taken by others. */
  private release(hold: HoldDocument, claim: Claim | null): Promise<void> {
    if (!claim) return this.observers.observer.offerReleased({ ...hold, slots: taughtSlots(hold) });
    const times = taughtTimes(claim, hold.instructorId).map(({ startMs, endMs, holder }) => ({
      startMs,
      endMs,
      excluded: { claimId: claim._id, holder },
    }));
    const release = () => this.calendar.release(claim._id);
    return this.observers.observer.passOn(hold.instructorId, times, release);
  }

  private async isAwaited(hold: HoldDocument): Promise<boolean> {
    for (const slot of taughtSlots(hold)) {
      if (await this.observers.observer.isAwaited(hold.instructorId, slot)) return true;
    }
    return false;
  }

  private async isBooked({ claimId }: HoldDocument): Promise<boolean> {
    const claim = claimId === null ? null : await this.calendar.findClaim(claimId);
    return claim !== null && claim.state !== 'released';
  }
}

/** The slots whose instructor's time a hold has: places in a lesson leave that to the lesson. */
const taughtSlots = ({ slots }: HoldDocument) => slots.filter(({ lessonId }) => !lessonId);

const taughtTimes = (claim: Claim, instructorId: string) =>
  claim.elements.filter(({ resource }) => resource === instructorId);

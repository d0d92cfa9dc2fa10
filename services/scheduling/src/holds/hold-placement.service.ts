import { Injectable } from '@nestjs/common';
import type { Reason } from '@swim/contracts';
import { AppError, invalidState, type RequestContext } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { type RejectedSlot, type Slot, type SlotsRequest, SlotsService } from '../slots/slots.service.js';
import { endOf, lessonIdsOf, matchesHold, type RequestedTimes } from './hold.rules.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldCapsService } from './hold-caps.service.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

export type { HoldDocument } from './hold.schema.js';

/** The rules for the time of a hold. */
export interface HoldTerms
  extends Pick<SlotsRequest, 'rules' | 'pool' | 'nowMs' | 'excluded' | 'fence' | 'blocked' | 'recheck' | 'keepsTime'> {
  /** How long the time stays taken after the hold's end, in ms, so that the waitlist gets the first offer. */
  graceMs: number;
  /** The latest end, however late its time is claimed. */
  endsBy?: Date;
  /** The slots of the hold, as `blocked` names them. */
  slots?: Slot[];
}

/** The hold, or the slots that cannot be claimed. */
export type Kept = { hold: HoldDocument } | { rejected: RejectedSlot[] };

// Nothing of the time is taken then, and a repetition may request other times: those of the lessons as they are then.
const NOT_CLAIMED: readonly Reason[] = ['limit_reached', 'change_in_progress'];
// Long enough to find waitlist entries for the time, also after a crash, and short enough for it not to stay taken.
const ENDING_MS = 60_000;

const endedKey = (holdId: string): string => `${holdId}#ended`;
const mine = (claim: Claim, key: string): Claim | null => (claim.key === key ? claim : null);

/** The rejection of a booking whose hold has ended. */
export const holdIsOver = (status: 'converted' | 'expired'): AppError =>
  invalidState('Only an active hold can be booked', status, 'hold_id');

/** Makes holds: stores the hold, claims its time under the hold's id, activates it; and undoes them. */
@Injectable()
export class HoldPlacementService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly slots: SlotsService,
    private readonly calendar: CalendarService,
    private readonly caps: HoldCapsService,
  ) {}

  /** Takes all of its time or none. With the same id again it returns the existing hold. */
  async place(context: RequestContext, requested: NewHold, terms: HoldTerms): Promise<Kept> {
    const hold = await this.holds.insertClaiming(context, requested);
    if (hold.status !== 'claiming') return { hold };
    try {
      const endsBy = await this.count(context, hold);
      const kept = await this.claim(hold, { ...terms, ...(endsBy ? { endsBy } : {}) });
      if ('rejected' in kept) await this.holds.forgetClaiming(hold._id);
      return kept;
    } catch (error) {
      const isNotClaimed = error instanceof AppError && NOT_CLAIMED.includes(error.reason);
      if (isNotClaimed) await this.holds.forgetClaiming(hold._id);
      throw error;
    }
  }

  /** The hold that an earlier run of the same request has made; one whose time it has not claimed is forgotten. */
  async findMade(holdId: string): Promise<HoldDocument | null> {
    const hold = await this.holds.findAny(holdId);
    if (hold?.status !== 'claiming') return hold;
    const finished = await this.finish(hold);
    if (!finished) await this.holds.forgetClaiming(holdId);
    return finished;
  }

  // Offers of the waitlist do not count against the account.
  private async count(context: RequestContext, hold: HoldDocument): Promise<Date | null> {
    return hold.waitlistId ? null : this.caps.count(context, hold);
  }

  /** Claims the time of a stored hold. Idempotent. */
  async claim(hold: HoldDocument, terms: HoldTerms): Promise<Kept> {
    const earlier = await this.finish(hold);
    if (earlier) return { hold: earlier };
    const request = this.requestOf(hold, terms);
    // The claim's time starts later: so the hold never outlasts its claim, nor its entry in the quota.
    const claimUntil = new Date(this.holds.now().getTime() + request.holdMs);
    const until = terms.endsBy && terms.endsBy < claimUntil ? terms.endsBy : claimUntil;
    const claimed = await this.slots.claim(request);
    if (!claimed.claim) return { rejected: claimed.rejected };
    const active = await this.holds.markActive(hold._id, { claimId: claimed.claim._id, until });
    if (active?.claimId === claimed.claim._id) return { hold: active };
    // Another run of the same request has made the hold, or it has ended meanwhile: this claim has no owner.
    await this.calendar.release(claimed.claim._id);
    if (active) return { hold: active };
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }

  /** The slots that block a hold now; stores nothing. */
  async preview(context: RequestContext, requested: NewHold, terms: HoldTerms): Promise<RejectedSlot[]> {
    await this.caps.check(context, requested);
    return this.slots.preview(this.requestOf(requested, terms));
  }

  /** Activates a hold whose time is claimed; null when it is not claimed. */
  async finish({ _id }: HoldDocument): Promise<HoldDocument | null> {
    const claim = await this.calendar.findLive(_id);
    return claim && this.holds.markActive(_id, { claimId: claim._id, until: claim.until });
  }

  /** Ends a hold for good, unless a booking has its time. Returns the claim as it is then, or null. Idempotent. */
  async end({ _id, claimId }: HoldDocument): Promise<Claim | null> {
    const claim = claimId === null ? null : await this.calendar.findClaim(claimId);
    if (claim?.state !== 'held') return null;
    const key = endedKey(_id);
    if (claim.key !== _id) return mine(claim, key);
    const ended = await this.calendar.handOver(claim, { key, holdMs: ENDING_MS });
    if (ended) return ended;
    // A booking has converted it, or another run has ended the hold.
    const now = await this.calendar.findClaim(claim._id);
    return now && mine(now, key);
  }

  /**
   * The active hold that a booking names. Throws `not_found`, `hold_mismatch`, or `invalid_state` with the `status` of a hold
   * that has ended.
   */
  async getFor(context: RequestContext, holdId: string, requested: RequestedTimes): Promise<HoldDocument> {
    const hold = await this.holds.findVisible(context, holdId);
    if (!hold) throw new AppError('not_found', { field: 'hold_id' });
    const end = endOf(hold, this.holds.now());
    if (end) throw holdIsOver(end);
    if (!matchesHold(hold, requested)) throw new AppError('hold_mismatch', { field: 'hold_id' });
    return hold;
  }

  /** The lessons in which a hold of the account has places; none where it has none, or does not exist. */
  async findLessonIds(context: RequestContext, holdId: string): Promise<string[]> {
    const hold = await this.holds.findVisible(context, holdId);
    return (hold && lessonIdsOf(hold)) ?? [];
  }

  /** The class and the lessons of the offer of a class; null where the account sees no such hold. */
  async findClassOffer(
    context: RequestContext,
    holdId: string,
  ): Promise<{ classId: string; lessonIds: string[] } | null> {
    const hold = await this.holds.findVisible(context, holdId);
    return hold?.classId ? { classId: hold.classId, lessonIds: lessonIdsOf(hold) ?? [] } : null;
  }

  /** Removes a hold that was never offered, unless a booking has it. */
  async discard(hold: HoldDocument): Promise<void> {
    const claim = await this.end(hold);
    if (!claim) return;
    await this.calendar.release(claim._id);
    await this.holds.forget(hold._id);
  }

  private requestOf(
    { _id, slots, lastsMs }: NewHold,
    { graceMs, endsBy: _, ...terms }: HoldTerms,
  ): SlotsRequest & { holdMs: number } {
    return { slots, ...terms, key: _id, skip: false, holdMs: lastsMs + graceMs, plan: () => undefined };
  }
}

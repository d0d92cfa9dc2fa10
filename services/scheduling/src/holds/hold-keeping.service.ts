import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { type RefusedSlot, type SlotsRequest, SlotsService } from '../calendar/slots.service.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

export type { HoldDocument } from './hold.schema.js';

/** By what the time of a hold is judged. */
export interface HoldTerms extends Pick<SlotsRequest, 'rules' | 'pool' | 'nowMs' | 'ceded'> {
  /** Ms for which the time stays taken beyond the hold's end, so that it can be passed on before others get it. */
  graceMs: number;
}

/** The hold, or what stands in its way. */
export type Kept = { hold: HoldDocument } | { refused: RefusedSlot[] };

// Long enough to find who waits for the time, also after a crash, and short enough for it not to stay taken.
const ENDING_MS = 60_000;

const endedKey = (holdId: string): string => `${holdId}#ended`;
const mine = (claim: Claim, key: string): Claim | null => (claim.key === key ? claim : null);

/** The making of holds: stored first, then the time is claimed under the hold's id, then it counts; and their undoing. */
@Injectable()
export class HoldKeepingService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly slots: SlotsService,
    private readonly calendar: CalendarService,
  ) {}

  /** Takes all of its time or none. Made again with the same id it answers the hold that there is. */
  async keep(call: Call, wanted: NewHold, terms: HoldTerms): Promise<Kept> {
    const { env } = call.principal;
    const hold = await this.holds.insertClaiming(call, wanted);
    if (hold.status !== 'claiming') return { hold };
    const kept = await this.claim(env, hold, terms);
    if ('refused' in kept) await this.holds.forgetClaiming(env, hold._id);
    return kept;
  }

  /** Claims the time of a hold that is stored. Safe to repeat. */
  async claim(env: Environment, hold: HoldDocument, terms: HoldTerms): Promise<Kept> {
    const earlier = await this.finish(env, hold);
    if (earlier) return { hold: earlier };
    const request = this.requestOf(hold, terms);
    // The claim counts from a moment later: however long this takes, the hold does not outlast it.
    const until = new Date(this.holds.now().getTime() + request.holdMs);
    const claimed = await this.slots.claim(env, request);
    if (!claimed.claim) return { refused: claimed.refused };
    const active = await this.holds.markActive(env, hold._id, { claimId: claimed.claim._id, until });
    if (active) return { hold: active };
    // It took so long that the sweep has forgotten the hold.
    await this.calendar.release(env, claimed.claim._id);
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }

  /** What stands in a hold's way now; keeps nothing. */
  preview(env: Environment, wanted: NewHold, terms: HoldTerms): Promise<RefusedSlot[]> {
    return this.slots.preview(env, this.requestOf(wanted, terms));
  }

  /** A hold whose time was claimed counts from now on; null when it was not. */
  async finish(env: Environment, { _id }: HoldDocument): Promise<HoldDocument | null> {
    const claim = await this.calendar.findLive(env, _id);
    return claim && this.holds.markActive(env, _id, { claimId: claim._id, until: claim.until });
  }

  /** Ends a hold for good, if its time has not become a booking's: the claim as it is then, or null. Safe to repeat. */
  async end(env: Environment, { _id, claimId }: HoldDocument): Promise<Claim | null> {
    const claim = claimId === null ? null : await this.calendar.findClaim(env, claimId);
    if (claim?.state !== 'held') return null;
    const key = endedKey(_id);
    return claim.key === _id ? this.calendar.handOver(env, claim, { key, holdMs: ENDING_MS }) : mine(claim, key);
  }

  /** Undoes a hold that nobody was told of, unless a booking has it all the same. */
  async discard(env: Environment, hold: HoldDocument): Promise<void> {
    const claim = await this.end(env, hold);
    if (!claim) return;
    await this.calendar.release(env, claim._id);
    await this.holds.forget(env, hold._id);
  }

  private requestOf(
    { _id, slots, lastsMs }: NewHold,
    { graceMs, ...terms }: HoldTerms,
  ): SlotsRequest & { holdMs: number } {
    return { ...terms, key: _id, slots, skip: false, holdMs: lastsMs + graceMs, plan: () => undefined };
  }
}

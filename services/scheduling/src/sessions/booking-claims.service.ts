import { Injectable } from '@nestjs/common';
import type { claimBooking, confirmBooking, ParsedOf, releaseBooking } from '@swim/contracts';
import type { Answered, Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { type Slot, type SlotsRequest, SlotsService, skippedOf } from '../calendar/slots.service.js';
import { SuggestionsService } from '../calendar/suggestions.service.js';
import { PlanningService } from './planning.service.js';
import { toSession } from './session.mapper.js';
import { SettlementService } from './settlement.service.js';

const HOLD_MS = 60_000;

type ClaimInput = ParsedOf<typeof claimBooking>;
type Claimed = Answered<typeof claimBooking>;

/** Claims of bookings: held first, made final by the booking, given up when it fails. Each step may be repeated. */
@Injectable()
export class BookingClaimsService {
  constructor(
    private readonly slots: SlotsService,
    private readonly suggestions: SuggestionsService,
    private readonly calendar: CalendarService,
    private readonly settlement: SettlementService,
    private readonly planning: PlanningService,
  ) {}

  async claim(input: ClaimInput, call: Call): Promise<Claimed> {
    const { env } = call.principal;
    const live = await this.calendar.findLive(env, input.bookingId);
    if (live) return claimedOf(live);
    const request = await this.requestOf(input, call);
    if (input.dryRun) return this.preview(input, request, call);
    const claimed = await this.slots.claim(env, request);
    if (!claimed.claim) throw await this.suggestions.conflict(env, claimed.refused, request);
    return claimedOf(claimed.claim);
  }

  async confirm(bookingId: string, call: Call): Promise<Answered<typeof confirmBooking>> {
    const { env } = call.principal;
    const live = await this.calendar.findLive(env, bookingId);
    const confirmed = live?.state === 'held' ? await this.calendar.confirm(env, live) : live;
    if (!confirmed) throw new AppError('invalid_state');
    const sessions = await this.settlement.settle(env, confirmed);
    return { sessions: sessions.map(toSession) };
  }

  async release(bookingId: string, call: Call): Promise<Answered<typeof releaseBooking>> {
    const { env } = call.principal;
    const live = await this.calendar.findLive(env, bookingId);
    const isReleased = !live || (live.state === 'held' && (await this.calendar.releaseHeld(env, live)));
    return { state: isReleased ? 'released' : 'confirmed' };
  }

  private async preview(input: ClaimInput, request: SlotsRequest, call: Call): Promise<Claimed> {
    const refused = await this.slots.preview(call.principal.env, request);
    const free = request.slots.filter((slot) => !refused.some((each) => each.slot === slot));
    if (free.length === 0 || (refused.length > 0 && input.onConflict === 'fail'))
      throw await this.suggestions.conflict(call.principal.env, refused, request);
    return { sessionIds: free.flatMap((slot) => slot.sessions.map(({ id }) => id)), skipped: skippedOf(refused) };
  }

  private async requestOf(input: ClaimInput, call: Call): Promise<SlotsRequest> {
    const { location, pool } = await this.planning.placeOf(call, input.location, input.rules);
    const slots = input.slots.map(slotOf);
    const plan = (claimed: Slot[]) => this.planning.planBooking(input, { location, slots: claimed }, call);
    const nowMs = this.planning.nowMs();
    return {
      key: input.bookingId,
      rules: input.rules,
      pool,
      slots,
      skip: input.onConflict === 'skip',
      nowMs,
      holdMs: HOLD_MS,
      plan,
    };
  }
}

function slotOf({ date, durationMinutes, sessions }: ClaimInput['slots'][number]): Slot {
  const startMs = Date.parse(date);
  return { startMs, endMs: startMs + durationMinutes * 60_000, sessions };
}

const claimedOf = (claim: Claim): Claimed => ({ sessionIds: claim.holders, skipped: claim.skipped });

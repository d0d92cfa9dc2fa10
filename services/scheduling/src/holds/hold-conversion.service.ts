import { Injectable } from '@nestjs/common';
import type { claimBooking, ParsedOf } from '@swim/contracts';
import type { Answered, Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { PlanningService } from '../sessions/planning.service.js';
import { endOf, matchesHold } from './hold.rules.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldsRepository } from './holds.repository.js';

const BOOKING_MS = 60_000;

/** Hands the time of a hold over to a booking: one conditional update of the claim, so that at most one gets it. */
@Injectable()
export class HoldConversionService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly calendar: CalendarService,
    private readonly planning: PlanningService,
  ) {}

  /** Throws `not_found`, `hold_mismatch`, or `invalid_state` with `status` of a hold that is over. */
  async claim(
    input: ParsedOf<typeof claimBooking>,
    holdId: string,
    call: Call,
  ): Promise<Answered<typeof claimBooking>> {
    const { env } = call.principal;
    const live = await this.calendar.findLive(env, input.bookingId);
    if (live) return { sessionIds: live.holders, skipped: live.skipped };
    const hold = await this.holds.findVisible(call, holdId);
    if (!hold) throw new AppError('not_found', { field: 'hold_id' });
    const end = endOf(hold, this.holds.now());
    if (end) throw isOver(end);
    if (!matchesHold(hold, input)) throw new AppError('hold_mismatch', { field: 'hold_id' });
    if (!input.dryRun) await this.handOver(input, hold, call);
    return { sessionIds: hold.slots.flatMap(({ sessions }) => sessions.map(({ id }) => id)), skipped: [] };
  }

  private async handOver(input: ParsedOf<typeof claimBooking>, hold: HoldDocument, call: Call): Promise<void> {
    const { env } = call.principal;
    const claim = hold.claimId === null ? null : await this.calendar.findClaim(env, hold.claimId);
    if (claim?.key !== hold._id || claim.state !== 'held')
      throw isOver(claim?.key.startsWith('bkg_') ? 'converted' : 'expired');
    const place = { location: input.location ?? hold.location, slots: hold.slots };
    const plan = { ...this.planning.planBooking(input, place, call), holdId: hold._id };
    const taken = await this.calendar.handOver(env, claim, { key: input.bookingId, holdMs: BOOKING_MS, plan });
    if (!taken) throw isOver('converted');
  }
}

const isOver = (status: 'converted' | 'expired'): AppError =>
  new AppError('invalid_state', { field: 'hold_id', details: { status } });

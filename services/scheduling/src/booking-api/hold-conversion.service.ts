import { Injectable } from '@nestjs/common';
import { type claimBooking, describeLessons, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { type HoldDocument, HoldPlacementService, holdIsOver } from '../holds/hold-placement.service.js';
import { PlaceRequestsService } from '../lessons/place-requests.service.js';
import { SessionPlansService } from '../sessions/making/session-plans.service.js';
import { BookingClaimsService } from './booking-claims.service.js';

/** Converts a hold to a booking by one conditional update of the claim, so that at most one booking gets it. */
@Injectable()
export class HoldConversionService {
  constructor(
    private readonly placement: HoldPlacementService,
    private readonly calendar: CalendarService,
    private readonly plans: SessionPlansService,
    private readonly claims: BookingClaimsService,
    private readonly places: PlaceRequestsService,
  ) {}

  /** Lessons whose places an account holds stay open to it when the school offers them no longer. */
  @Serve(describeLessons)
  async describe(
    { lessonIds, holdId }: ParsedOf<typeof describeLessons>,
    context: RequestContext,
  ): Promise<Answered<typeof describeLessons>> {
    const heldIds = holdId ? await this.placement.findLessonIds(context, holdId) : [];
    return this.places.describe(lessonIds, context, heldIds);
  }

  /** Throws `not_found`, `hold_mismatch`, or `invalid_state` with the `status` of a hold that has ended. */
  async claim(
    input: ParsedOf<typeof claimBooking>,
    holdId: string,
    context: RequestContext,
  ): Promise<Answered<typeof claimBooking>> {
    const live = input.dryRun ? null : await this.calendar.supersede(input.bookingId, input.attempt);
    if (live?.state === 'confirmed') return this.claims.made(live);
    const hold = await this.placement.getFor(context, holdId, input);
    if (!input.dryRun) return this.claims.made(await this.convert(input, hold, context));
    return { sessionIds: hold.slots.flatMap(({ sessions }) => sessions.map(({ id }) => id)), skipped: [] };
  }

  private async convert(
    input: ParsedOf<typeof claimBooking>,
    hold: HoldDocument,
    context: RequestContext,
  ): Promise<Claim> {
    const claim = hold.claimId === null ? null : await this.calendar.findClaim(hold.claimId);
    if (claim?.key !== hold._id || claim.state !== 'held')
      throw holdIsOver(claim?.key.startsWith('bkg_') ? 'converted' : 'expired');
    const place = { location: input.location ?? hold.location, slots: hold.slots };
    const plan = { ...(await this.plans.planBooking(input, place, context)), holdId: hold._id };
    const fence = { attempt: input.attempt, deadline: context.deadline };
    const converted = await this.calendar.convert(claim, { key: input.bookingId, plan, fence });
    if (converted) return converted;
    // Another run of the same request may have converted it already.
    const live = await this.calendar.findLive(input.bookingId);
    if (live?.state !== 'confirmed') throw holdIsOver('converted');
    return live;
  }
}

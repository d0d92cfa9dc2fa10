import { Inject, Injectable } from '@nestjs/common';
import { type claimBooking, confirmBooking, type Location, type ParsedOf, releaseBooking } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { type Answered, AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { PlaceConflictsService } from '../lessons/place-conflicts.service.js';
import { PlaceRequestsService } from '../lessons/place-requests.service.js';
import { repeatSuperseded } from '../lessons/superseded.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { FulfilmentService } from '../sessions/making/fulfilment.service.js';
import { SessionPlansService } from '../sessions/making/session-plans.service.js';
import { toSession } from '../sessions/storage/session.mapper.js';
import { skippedOf } from '../slots/slot.rules.js';
import { type RejectedSlot, type Slot, type SlotsRequest, SlotsService } from '../slots/slots.service.js';
import { SuggestionsService } from '../slots/suggestions.service.js';

type ClaimInput = ParsedOf<typeof claimBooking>;
type Claimed = Answered<typeof claimBooking>;
type PlacedRequest = SlotsRequest & { location: Location | null };

/**
 * Claims of bookings: `claim` takes and confirms in one step, `confirm` returns the result, `release` abandons. Each step is
 * idempotent.
 */
@Injectable()
export class BookingClaimsService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(SuggestionsService) private readonly suggestions!: SuggestionsService;
  @Inject(PlaceRequestsService) private readonly places!: PlaceRequestsService;
  @Inject(PlaceConflictsService) private readonly placeConflicts!: PlaceConflictsService;

  constructor(
    private readonly slots: SlotsService,
    private readonly calendar: CalendarService,
    private readonly fulfilment: FulfilmentService,
    private readonly participants: ParticipantResolverService,
    private readonly plans: SessionPlansService,
  ) {}

  /** Reads lessons again whose places have changed since they were read. */
  claim(input: ClaimInput, context: RequestContext): Promise<Claimed> {
    return repeatSuperseded(() => this.tryClaim(input, context));
  }

  private async tryClaim(input: ClaimInput, context: RequestContext): Promise<Claimed> {
    const request = await this.requestOf(input, context);
    if (input.dryRun) return this.preview(input, request, context);
    const claimed = await this.slots.claim(request);
    if (!claimed.claim) throw await this.conflictOf(claimed.rejected, input, request, context);
    return this.made(claimed.claim);
  }

  private conflictOf(
    rejected: RejectedSlot[],
    { members = [], rules, single }: ClaimInput,
    request: SlotsRequest,
    context: RequestContext,
  ): Promise<AppError> {
    if (single) return this.suggestions.rejection(rejected, request);
    if (!request.slots[0]?.place) return this.suggestions.conflict(rejected, request);
    return this.placeConflicts.error(rejected, request, { members, rules, nowMs: request.nowMs }, context);
  }

  /** The sessions of a confirmed claim, and the skipped dates. */
  async made(claim: Claim): Promise<Claimed & Answered<typeof confirmBooking>> {
    const made = await this.fulfilment.fulfil(claim);
    // Once a claim is fulfilled, sessions that were cancelled or moved since have left it.
    const sessions = claim.plan ? made : await this.fulfilment.findMade(claim.key);
    return { sessionIds: sessions.map(({ _id }) => _id), skipped: claim.skipped, sessions: sessions.map(toSession) };
  }

  @Serve(confirmBooking)
  async confirm({ bookingId }: ParsedOf<typeof confirmBooking>): Promise<Answered<typeof confirmBooking>> {
    const confirmed = await this.calendar.findLive(bookingId);
    if (confirmed) {
      const { sessions, skipped } = await this.made(confirmed);
      return { sessions, skipped };
    }
    // When all sessions were cancelled or moved, they have left the claim and it no longer exists.
    const sessions = await this.fulfilment.findMade(bookingId);
    if (sessions.length === 0) throw new AppError('invalid_state');
    return { sessions: sessions.map(toSession) };
  }

  /** Fences off concurrent runs first, so that none of them confirms a claim after this has returned. */
  @Serve(releaseBooking)
  async release({ bookingId, attempt }: ParsedOf<typeof releaseBooking>): Promise<Answered<typeof releaseBooking>> {
    const confirmed = await this.calendar.supersede(bookingId, attempt + 1);
    return { state: confirmed ? 'confirmed' : 'released' };
  }

  private async preview(input: ClaimInput, request: PlacedRequest, context: RequestContext): Promise<Claimed> {
    const rejected = await this.slots.preview(request);
    const free = request.slots.filter((slot) => !rejected.some((each) => each.slot === slot));
    if (free.length === 0 || (rejected.length > 0 && input.onConflict === 'fail'))
      throw await this.conflictOf(rejected, input, request, context);
    const sessionIds = free.flatMap((slot) => slot.sessions.map(({ id }) => id));
    const previewed = { sessionIds, skipped: skippedOf(rejected) };
    if (!input.single) return previewed;
    const place = { location: request.location, slots: free };
    return { ...previewed, sessions: this.plans.imagine(input, place, context).map(toSession) };
  }

  private async requestOf(input: ClaimInput, context: RequestContext): Promise<PlacedRequest> {
    const nowMs = accountTime(this.clock, context.principal.env, input.rules.clockOffsetMs).getTime();
    const { location, ...timed } = await this.timesOf(input, nowMs, context);
    return {
      key: input.bookingId,
      rules: input.rules,
      location,
      ...timed,
      skip: input.onConflict === 'skip',
      nowMs,
      fence: { attempt: input.attempt, deadline: context.deadline },
      plan: (claimed: Slot[]) => this.plans.planBooking(input, { location, slots: claimed }, context),
    };
  }

  private async timesOf(input: ClaimInput, nowMs: number, context: RequestContext) {
    const { members = [], rules } = input;
    const places = input.slots.flatMap(({ lessonId, sessions }) => (lessonId ? { lessonId, sessions } : []));
    if (places.length > 0)
      return { location: null, ...(await this.places.requestOf({ slots: places, members, rules, nowMs }, context)) };
    const { location, pool } = await this.participants.placeOf(context, input.location, rules);
    return { location, pool, slots: input.slots.map(slotOf) };
  }
}

function slotOf({ date, durationMinutes, sessions }: ClaimInput['slots'][number]): Slot {
  const startMs = Date.parse(date);
  return { startMs, endMs: startMs + durationMinutes * 60_000, sessions };
}

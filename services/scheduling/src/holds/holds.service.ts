import { Inject, Injectable } from '@nestjs/common';
import {
  createHold,
  type DescribedLesson,
  getHold,
  type Hold,
  heldSessionSalts,
  lessonsRejection,
  listHolds,
  type Page,
  type ParsedOf,
  removeHold,
  type TeachingRules,
  timeReason,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  derivedId,
  invalidState,
  type RequestContext,
} from '@swim/platform';
import { PlaceConflictsService } from '../lessons/place-conflicts.service.js';
import { PlaceRequestsService } from '../lessons/place-requests.service.js';
import { repeatSuperseded } from '../lessons/superseded.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import type { RejectedSlot, Slot } from '../slots/slots.service.js';
import { SuggestionsService } from '../slots/suggestions.service.js';
import { toHold } from './hold.mapper.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldPlacementService, type HoldTerms } from './hold-placement.service.js';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

// The time stays taken a little longer than the hold lasts, so that the waitlist gets the first offer.
const GRACE_MS = 5_000;

type HoldInput = ParsedOf<typeof createHold>;
type Identified = Pick<HoldInput, 'member_ids' | 'expires_in_minutes'> & { id: string };
type TimesInput = HoldInput & Identified & { instructor_id: string; sessions: NonNullable<HoldInput['sessions']> };
type PlacesInput = HoldInput & Identified & { lesson_ids: string[] };

/** A hold to be made, and the error of those of its slots that are taken. */
interface Wanted {
  hold: NewHold;
  terms: HoldTerms;
  conflictOf: (rejected: RejectedSlot[]) => Promise<AppError>;
}

/** Holds as clients use them. */
@Injectable()
export class HoldsService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(PlaceRequestsService) private readonly places!: PlaceRequestsService;
  @Inject(PlaceConflictsService) private readonly placeConflicts!: PlaceConflictsService;

  constructor(
    private readonly holds: HoldsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly placement: HoldPlacementService,
    private readonly suggestions: SuggestionsService,
    private readonly ends: HoldReleaseService,
  ) {}

  /** A hold in any state, for messages about it. */
  find(id: string): Promise<HoldDocument | null> {
    return this.holds.findAny(id);
  }

  /** Reads lessons again whose places have changed since they were read. */
  @Serve(createHold)
  async create(input: HoldInput, context: RequestContext): Promise<Hold> {
    const id = context.newId('hold');
    const earlier = context.resumed ? await this.placement.findMade(id) : null;
    if (earlier) return toHold(earlier, this.holds.now());
    const { lesson_ids, sessions = [] } = input;
    if (lesson_ids)
      return repeatSuperseded(async () =>
        this.keep(await this.placesOf({ ...input, id, lesson_ids }, context), context),
      );
    const instructor_id = input.instructor_id!;
    return this.keep(await this.timesOf({ ...input, id, instructor_id, sessions }, context), context);
  }

  private async keep({ hold: made, terms, conflictOf }: Wanted, context: RequestContext): Promise<Hold> {
    const hold = { ...made, ...clockOffsetIn(context.principal.env, terms.rules.clockOffsetMs) };
    if (context.dryRun) {
      const rejected = await this.placement.preview(context, hold, terms);
      if (rejected.length > 0) throw await conflictOf(rejected);
      const now = this.holds.now();
      return toHold({ ...this.holds.claiming(hold), createdAt: now, updatedAt: now } as HoldDocument, now);
    }
    const kept = await this.placement.place(context, hold, terms);
    if ('rejected' in kept) throw await conflictOf(kept.rejected);
    return toHold(kept.hold, this.holds.now());
  }

  private async timesOf(input: TimesInput, context: RequestContext): Promise<Wanted> {
    const { accountId, rules } = await this.participants.resolve(context, input);
    const nowMs = this.nowMs(rules, context);
    const startsMs = startsOf(input.sessions, nowMs, (index) => `sessions.${index}.date`);
    const { location, pool } = await this.participants.placeOf(context, input.location ?? null, rules);
    const sessionsOf = heldSessions(input, startsMs);
    const slots = input.sessions.map(({ duration_minutes }, index) => ({
      startMs: startsMs[index]!,
      endMs: startsMs[index]! + duration_minutes * 60_000,
      sessions: sessionsOf(index),
    }));
    const terms = { rules, pool, nowMs, fence: context, graceMs: GRACE_MS };
    const conflictOf = (rejected: RejectedSlot[]) => this.suggestions.conflict(rejected, { ...terms, slots });
    return { hold: { ...newHold(input, accountId, rules), location, slots }, terms, conflictOf };
  }

  private async placesOf(input: PlacesInput, context: RequestContext): Promise<Wanted> {
    const lessons = await this.places.describe(input.lesson_ids, context);
    const rejection = lessonsRejection(lessons, input);
    if (rejection) {
      const { reason, ...extras } = rejection;
      throw new AppError(reason, extras);
    }
    const described = lessons as DescribedLesson[];
    const requested = { instructor_id: described[0]!.instructorId, member_ids: input.member_ids };
    const { accountId, rules, placed: members } = await this.participants.resolveForLessons(context, requested);
    const nowMs = this.nowMs(rules, context);
    const startsMs = startsOf(described, nowMs, (index) => `lesson_ids.${index}`);
    const sessionsOf = heldSessions(input, startsMs);
    const wanted = described.map(({ id: lessonId }, index) => ({ lessonId, sessions: sessionsOf(index) }));
    const places = { slots: wanted, members, rules, nowMs };
    const request = await this.places.requestOf(places, context);
    const terms = { ...request, rules, nowMs, fence: context, graceMs: GRACE_MS };
    const conflictOf = (rejected: RejectedSlot[]) => this.placeConflicts.error(rejected, request, places, context);
    return {
      hold: { ...newHold(input, accountId, rules), location: null, slots: request.slots },
      terms,
      conflictOf,
    };
  }

  private nowMs({ clockOffsetMs }: TeachingRules, { principal }: RequestContext): number {
    return accountTime(this.clock, principal.env, clockOffsetMs).getTime();
  }

  @Serve(getHold)
  async get({ hold_id: id }: ParsedOf<typeof getHold>, context: RequestContext): Promise<Hold> {
    return toHold(await this.holds.getVisible(context, id), this.holds.now());
  }

  /** The holds that the account sees. */
  @Serve(listHolds)
  async list(query: ParsedOf<typeof listHolds>, context: RequestContext): Promise<Page<Hold>> {
    const { items, pagination } = await this.holds.listVisible(context, query);
    const now = this.holds.now();
    return { items: items.map((hold) => toHold(hold, now)), pagination };
  }

  @Serve(removeHold)
  async remove({ hold_id: id }: ParsedOf<typeof removeHold>, context: RequestContext): Promise<Record<string, never>> {
    // An earlier run of this request may have removed it.
    if (context.resumed && !(await this.holds.findVisible(context, id))) return {};
    const hold = await this.holds.getVisible(context, id);
    const rejection = () => invalidState('Only an active hold can be removed', 'converted');
    if (hold.status === 'converted') throw rejection();
    if (!context.dryRun && !(await this.ends.withdraw(id))) throw rejection();
    return {};
  }
}

/** The starts of these times; throws `in_past`, `too_far_ahead`. */
const startsOf = (times: { date: string }[], nowMs: number, fieldOf: (index: number) => string): number[] =>
  times.map(({ date }, index) => {
    const reason = timeReason(Date.parse(date), nowMs);
    if (reason) throw new AppError(reason, { field: fieldOf(index) });
    return Date.parse(date);
  });

const newHold = (
  { id, member_ids, expires_in_minutes }: Identified,
  accountId: string,
  { schoolId, instructorId }: TeachingRules,
) => ({
  _id: id,
  accountId,
  schoolId,
  instructorId,
  memberIds: member_ids,
  waitlistId: null,
  lastsMs: expires_in_minutes * 60_000,
});

/** The sessions of a slot, by its position, with the ids that a booking gives them. */
function heldSessions({ id, member_ids }: Identified, startsMs: number[]): (index: number) => Slot['sessions'] {
  const saltOf = heldSessionSalts(startsMs);
  return (index) => member_ids.map((memberId) => ({ id: derivedId('ses', id, saltOf(index, memberId)), memberId }));
}

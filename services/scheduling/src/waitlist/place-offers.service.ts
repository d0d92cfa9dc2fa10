import { Inject, Injectable } from '@nestjs/common';
import { heldSessionSalts } from '@swim/contracts';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  currentEnvironment,
  derivedId,
  newId,
  systemContext,
} from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { HoldPlacementService, type HoldTerms } from '../holds/hold-placement.service.js';
import { PlaceRequestsService, type PlacesRequest } from '../lessons/place-requests.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import type { RejectedSlot, Slot } from '../slots/slots.service.js';
import type { Round } from './offer-round.js';
import { GRACE_MS, OFFER_MS, offerOf } from './offers.service.js';
import { WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';

/** Offers places of lessons: in one, or in all of a class together, as a hold. */
@Injectable()
export class PlaceOffersService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(CalendarService) private readonly calendar!: CalendarService;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly participants: ParticipantResolverService,
    private readonly places: PlaceRequestsService,
    private readonly placement: HoldPlacementService,
  ) {}

  /** Offers an entry places as `offer` does; the round gets to know of one that goes on waiting, and of what failed. */
  async offerIn(round: Round, entry: WaitlistDocument, lessons: readonly LessonDocument[]): Promise<void> {
    try {
      if (await this.offer(entry, lessons)) return;
    } catch (error) {
      round.failure = error;
    }
    round.nobodyWaits = false;
  }

  /** Those of these lessons, in order of time, in which a member has no place. */
  async lacking(memberId: string, lessons: readonly LessonDocument[]): Promise<LessonDocument[]> {
    const [first, last] = [lessons[0]!, lessons.at(-1)!];
    const busy = await this.calendar.busy(memberId, first.start.getTime(), last.end.getTime());
    const own = new Set(busy.map(({ holder }) => holder));
    return lessons.filter((lesson) => !lesson.busy.some(({ h }) => own.has(h)));
  }

  /**
   * Offers an entry a place in each of these lessons that its member lacks, if they fit the member, who has time; false when it goes on
   * waiting.
   */
  private async offer(entry: WaitlistDocument, lessons: readonly LessonDocument[]): Promise<boolean> {
    const wanted = await this.wanted(entry, lessons);
    if (!wanted) return false;
    const kept = await this.placement.place(wanted.terms.fence, wanted.hold, wanted.terms);
    if (!('hold' in kept)) return false;
    if (!(await this.waitlist.markOffered(entry._id, offerOf(kept.hold)))) await this.placement.discard(kept.hold);
    return true;
  }

  private async wanted({ _id: waitlistId, ...entry }: WaitlistDocument, offered: readonly LessonDocument[]) {
    const { memberId, accountId, schoolId, classId } = entry;
    const context = systemContext(entry.asSchool ? schoolId : accountId);
    try {
      const lessons = await this.lacking(memberId, offered);
      if (lessons.length === 0) return null;
      const { rules, placed } = await this.participants.resolveForLessons(context, {
        instructor_id: lessons[0]!.instructorId,
        member_ids: [memberId],
      });
      const nowMs = accountTime(this.clock, currentEnvironment(), rules.clockOffsetMs).getTime();
      const wanted = lessons.map(({ _id: lessonId }) => ({ lessonId, sessions: [{ id: newId('ses'), memberId }] }));
      const request = await this.places.requestOf({ slots: wanted, members: placed, rules, nowMs }, context);
      const id = newId('hold');
      const slots = offeredOf(request, { id, memberId, classId });
      const leftMs = slots?.[0] ? slots[0].startMs - nowMs : 0;
      if (!slots || leftMs <= 0) return null;
      const { instructorId, location } = lessons.find((lesson) => lesson._id === slots[0]!.lessonId)!;
      const hold: Parameters<HoldPlacementService['place']>[1] = {
        ...{ _id: id, accountId, schoolId, instructorId, memberIds: [memberId], location, slots },
        ...{ waitlistId, ...(classId ? { classId } : {}), lastsMs: Math.min(OFFER_MS, leftMs) },
        ...clockOffsetIn(currentEnvironment(), rules.clockOffsetMs),
      };
      const terms = { ...request, slots, blocked: [], rules, nowMs, fence: context, graceMs: GRACE_MS };
      return { hold, terms: terms satisfies HoldTerms };
    } catch (error) {
      // A member that no longer exists, or a lesson that cannot be booked any more, gets no offer.
      if (!(error instanceof AppError) || ['SERVER_ERROR', 'CONFLICT'].includes(error.code)) throw error;
      return null;
    }
  }
}

/** What is offered of a request; null when that is nothing. Of a class only what begins too soon is left out. */
function offeredOf(
  { slots, blocked = [] }: PlacesRequest,
  { id, memberId, classId }: { id: string; memberId: string; classId: string | undefined },
): Slot[] | null {
  const isLeftOut = ({ reason }: RejectedSlot) => classId !== undefined && reason === 'outside_availability';
  if (!blocked.every(isLeftOut)) return null;
  const offered = slots.filter((slot) => !blocked.some((each) => each.slot === slot));
  const saltOf = heldSessionSalts(offered.map(({ startMs }) => startMs));
  return offered.map(({ place, ...slot }, index) => ({
    ...slot,
    sessions: [{ id: derivedId('ses', id, saltOf(index, memberId)), memberId }],
    place: { ...place!, asOffer: true },
  }));
}

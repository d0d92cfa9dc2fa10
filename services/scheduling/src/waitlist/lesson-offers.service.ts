import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  currentEnvironment,
  heldSessionIds,
  newId,
  systemContext,
} from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { HoldPlacementService, type HoldTerms } from '../holds/hold-placement.service.js';
import { PlaceRequestsService } from '../lessons/place-requests.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import type { Slot } from '../slots/slots.service.js';
import { GRACE_MS, OFFER_MS, offerOf } from './offers.service.js';
import { WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

/** Offers places of lessons, each as a hold. */
@Injectable()
export class LessonOffersService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly participants: ParticipantResolverService,
    private readonly places: PlaceRequestsService,
    private readonly placement: HoldPlacementService,
  ) {}

  /** Offers a place to an entry, if the lesson fits its member, who has time; false when it goes on waiting. */
  async offer(entry: WaitlistDocument, lesson: LessonDocument): Promise<boolean> {
    const wanted = await this.wanted(entry, lesson);
    if (!wanted) return false;
    const kept = await this.placement.place(wanted.terms.fence, wanted.hold, wanted.terms);
    if (!('hold' in kept)) return false;
    if (!(await this.waitlist.markOffered(entry._id, offerOf(kept.hold)))) await this.placement.discard(kept.hold);
    return true;
  }

  private async wanted(entry: WaitlistDocument, { _id: lessonId, start, instructorId, location }: LessonDocument) {
    const { memberId, accountId, schoolId } = entry;
    const context = systemContext(entry.asSchool ? schoolId : accountId);
    try {
      const { rules, placed } = await this.participants.resolveForLessons(context, {
        instructor_id: instructorId,
        member_ids: [memberId],
      });
      const nowMs = accountTime(this.clock, currentEnvironment(), rules.clockOffsetMs).getTime();
      const leftMs = start.getTime() - nowMs;
      if (leftMs <= 0) return null;
      const id = newId('hold');
      const sessions = [{ id: heldSessionIds(id, [start.getTime()])(0, memberId), memberId }];
      const requested = { slots: [{ lessonId, sessions }], members: placed, rules, nowMs };
      const request = await this.places.requestOf(requested, context);
      if (request.blocked?.length) return null;
      const slots = request.slots.map(asOffer);
      const hold: Parameters<HoldPlacementService['place']>[1] = {
        ...{ _id: id, accountId, schoolId, instructorId, memberIds: [memberId], location, slots },
        ...{ waitlistId: entry._id, lastsMs: Math.min(OFFER_MS, leftMs) },
        ...clockOffsetIn(currentEnvironment(), rules.clockOffsetMs),
      };
      const terms = { ...request, slots, rules, nowMs, fence: context, graceMs: GRACE_MS } satisfies HoldTerms;
      return { hold, terms };
    } catch (error) {
      // A member that no longer exists, or a lesson that cannot be booked any more, gets no offer.
      if (!(error instanceof AppError) || ['SERVER_ERROR', 'CONFLICT'].includes(error.code)) throw error;
      return null;
    }
  }
}

const asOffer = (slot: Slot): Slot => ({ ...slot, place: { ...slot.place!, asOffer: true } });

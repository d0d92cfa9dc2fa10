import { Injectable } from '@nestjs/common';
import { type DescribedLesson, type PlacedMember, type TeachingRules } from '@swim/contracts';
import { AppError, invalidState, type RequestContext } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { PoolsService } from '../pools/pools.service.js';
import type { RejectedSlot, Slot, SlotsRequest } from '../slots/slots.service.js';
import { placeRejection } from './eligibility.rules.js';
import { LessonsRepository } from './lessons.repository.js';
import { superseded } from './superseded.js';

/** Places that are requested in lessons: by whom, for whom, and by the clock of both sides. */
export interface RequestedPlaces {
  slots: { lessonId: string; sessions: Slot['sessions'] }[];
  members: readonly PlacedMember[];
  rules: TeachingRules;
  nowMs: number;
}

/** What is claimed for them. */
export type PlacesRequest = Pick<SlotsRequest, 'slots' | 'blocked' | 'recheck' | 'looksTaken' | 'pool' | 'keepsTime'>;

/** Requests for places in lessons that a school offers. */
@Injectable()
export class PlaceRequestsService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly pools: PoolsService,
    private readonly participants: ParticipantResolverService,
  ) {}

  /** The lessons in which the account may take places, or has held some; null for any other. */
  async describe(
    lessonIds: string[],
    context: RequestContext,
    heldIds: readonly string[] = [],
  ): Promise<(DescribedLesson | null)[]> {
    const open = (await this.lessons.findVisible(context, lessonIds)).filter((lesson) => isOpenTo(lesson, context));
    const held = heldIds.length === 0 ? [] : await this.lessons.findAll(heldIds);
    const found = new Map([...open, ...held].map((each) => [each._id, described(each)]));
    return lessonIds.map((id) => found.get(id) ?? null);
  }

  /** The claim of places. Rejects lessons that are over; those without a place, or that do not fit, are `blocked`. */
  async requestOf(requested: RequestedPlaces, context: RequestContext, field = 'lesson_ids'): Promise<PlacesRequest> {
    const lessons = await this.read(requested, field, context);
    const isSchool = context.principal.accountId === requested.rules.schoolId;
    const slots = requested.slots.map((slot, index) => placesIn(lessons[index]!, slot, isSchool));
    const tooSmall = slots
      .filter(({ sessions, place }) => sessions.length > place!.capacity)
      .map((slot): RejectedSlot => ({ slot, reason: 'lesson_full' }));
    const unfit = isSchool ? [] : await this.blockedOf(lessons, slots, requested, context);
    const blocked = [...tooSmall, ...unfit];
    const recheck = async () => {
      const now = await this.lessons.findAll(lessons.map(({ _id }) => _id));
      const isSame = (lesson: LessonDocument) =>
        now.some((each) => each._id === lesson._id && isUnchanged(each, lesson));
      if (!lessons.every(isSame)) throw superseded();
    };
    const looksTaken = lessons.some(({ busy, capacity }, at) => busy.length + slots[at]!.sessions.length > capacity);
    return { slots, blocked, recheck, looksTaken, pool: null, keepsTime: true };
  }

  private async read({ slots }: RequestedPlaces, of: string, context: RequestContext): Promise<LessonDocument[]> {
    const ids = slots.map(({ lessonId }) => lessonId);
    const found = new Map((await this.lessons.findVisible(context, ids)).map((each) => [each._id, each]));
    return ids.map((id, index) => {
      const lesson = found.get(id);
      const field = of === 'lesson_ids' ? `${of}.${index}` : of;
      if (!lesson || !isOpenTo(lesson, context)) throw new AppError('not_found', { field });
      if (lesson.status !== 'scheduled')
        throw invalidState('Places are booked only in a lesson that is to take place', lesson.status, field);
      return lesson;
    });
  }

  private async blockedOf(
    lessons: LessonDocument[],
    slots: Slot[],
    { members, rules, nowMs }: RequestedPlaces,
    context: RequestContext,
  ): Promise<RejectedSlot[]> {
    const rulesOf = await this.rulesOf(lessons, rules, context);
    const zones = await this.pools.findZones(lessons.flatMap(({ location }) => location?.pool_id ?? []));
    return lessons.flatMap((lesson, index): RejectedSlot[] => {
      const slot = slots[index]!;
      const { schedule, timezone } = rulesOf.get(lesson.instructorId) ?? rules;
      const zone = zones.get(lesson.location?.pool_id ?? '') ?? timezone;
      const rejection = placeRejection(lesson, members, { schedule, timezone: zone, nowMs });
      return rejection ? [{ slot, ...rejection }] : [];
    });
  }

  /** The rules of the instructors of these lessons, where they are others than the request's. */
  private async rulesOf(lessons: LessonDocument[], { instructorId }: TeachingRules, context: RequestContext) {
    const others = new Set(lessons.map((lesson) => lesson.instructorId).filter((id) => id !== instructorId));
    const found = new Map<string, Pick<TeachingRules, 'schedule' | 'timezone'>>();
    for (const id of others) {
      const { instructor } = await this.participants.findInstructor(context, id);
      if (instructor) found.set(id, instructor);
    }
    return found;
  }
}

/** Families book bookable lessons, the school all that it has made. */
const isOpenTo = ({ bookable, isPrivate, schoolId }: LessonDocument, { principal }: RequestContext): boolean =>
  !isPrivate && (bookable || schoolId === principal.accountId);

const isUnchanged = (now: LessonDocument, { gen, status, capacity, bookable }: LessonDocument): boolean =>
  now.gen === gen && now.status === status && now.capacity === capacity && now.bookable === bookable;

const placesIn = (lesson: LessonDocument, { sessions }: Pick<Slot, 'sessions'>, isSchool: boolean): Slot => ({
  startMs: lesson.start.getTime(),
  endMs: lesson.end.getTime(),
  sessions,
  lessonId: lesson._id,
  place: {
    gen: lesson.gen,
    capacity: lesson.capacity,
    of: { instructorId: lesson.instructorId, location: lesson.location },
    ...(isSchool ? { asSchool: true as const } : {}),
    ...(lesson.classId ? { inClass: true as const } : {}),
  },
});

const described = (lesson: LessonDocument): DescribedLesson => ({
  id: lesson._id,
  schoolId: lesson.schoolId,
  instructorId: lesson.instructorId,
  date: lesson.start.toISOString(),
  durationMinutes: lesson.durationMinutes,
  priceCents: lesson.priceCents,
  currency: lesson.currency,
});

import { Inject, Injectable } from '@nestjs/common';
import { type DescribedClass, describeClass, type OutputOf, type ParsedOf, suggestClasses } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, currentEnvironment, type RequestContext } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { HoldPlacementService } from '../holds/hold-placement.service.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { unfitFor } from '../lessons/eligibility.rules.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { LessonReadingService } from '../sessions/reading/lesson-reading.service.js';

const MOST_LOOKED_AT = 50;
const MOST_SUGGESTED = 3;

/** What booking asks of a class in which a member is to be enrolled. */
@Injectable()
export class ClassEnrollingService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly classes: ClassesRepository,
    private readonly places: ClassPlacesService,
    private readonly sessions: LessonReadingService,
    private readonly holds: HoldPlacementService,
    private readonly participants: ParticipantResolverService,
  ) {}

  /** Only places of sessions that the account sees count: it must not learn who else takes part. */
  @Serve(describeClass)
  async describe(
    { classId, memberId, holdId }: ParsedOf<typeof describeClass>,
    context: RequestContext,
  ): Promise<DescribedClass> {
    const { status, schoolId, recurrence } = await this.classes.getVisible(context, classId);
    const { accountId } = context.principal;
    const described = { status, timezone: recurrence.timezone };
    const offer = holdId ? await this.holds.findClassOffer(context, holdId) : null;
    if (offer) {
      if (offer.classId !== classId) throw new AppError('hold_mismatch', { field: 'hold_id' });
      const held = (await this.places.lessonsOf(classId)).filter(({ _id }) => offer.lessonIds.includes(_id));
      return { ...described, lessons: held.map((each) => ({ ...facts(each), isTaken: false, canBeBooked: true })) };
    }
    const isSchool = accountId === schoolId;
    // A family books what is bookable; the others of its lessons are for the school to fill.
    const toCome = (await this.places.toCome(classId)).filter(({ bookable }) => bookable || isSchool);
    const ids = toCome.map(({ _id }) => _id);
    const seen = await this.sessions.findIn(ids, accountId);
    const opensAt = isSchool ? null : await this.opensAt(toCome, context);
    const lessons = toCome.map((lesson) => {
      const own = seen.get(lesson._id) ?? [];
      const isTaken = own.some((session) => session.member_id === memberId && session.status === 'scheduled');
      const canBeBooked = !opensAt || lesson.start >= opensAt.get(lesson.instructorId)!;
      return { ...facts(lesson), isTaken, canBeBooked };
    });
    return { ...described, lessons };
  }

  /** By instructor, from when on a family can still book lessons. */
  private async opensAt(lessons: LessonDocument[], context: RequestContext): Promise<Map<string, Date>> {
    const opens = new Map<string, Date>();
    for (const id of new Set(lessons.map(({ instructorId }) => instructorId))) {
      const { instructor, clockOffsetMs } = await this.participants.findInstructor(context, id);
      const now = accountTime(this.clock, currentEnvironment(), clockOffsetMs);
      const noticeMs = (instructor?.schedule.minimum_notice_minutes ?? 0) * 60_000;
      opens.set(id, new Date(now.getTime() + noticeMs));
    }
    return opens;
  }

  @Serve(suggestClasses)
  async suggest({ classId, member }: ParsedOf<typeof suggestClasses>): Promise<OutputOf<typeof suggestClasses>> {
    const full = await this.classes.findAny(classId);
    if (!full) return { suggestions: [] };
    await this.places.countDue();
    const open = await this.classes.findOpen(full.schoolId, member.level, MOST_LOOKED_AT);
    const suggestions = open.flatMap((each) => {
      const { _id, nextLessonAt, recurrence } = each;
      if (_id === classId || !nextLessonAt) return [];
      if (unfitFor({ ...each, start: nextLessonAt }, member, recurrence.timezone)) return [];
      return [{ class_id: _id, next_lesson_at: nextLessonAt.toISOString() }];
    });
    return { suggestions: suggestions.slice(0, MOST_SUGGESTED) };
  }
}

const facts = ({ _id: id, start }: LessonDocument) => ({ id, date: start.toISOString() });

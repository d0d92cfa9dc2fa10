import { Injectable } from '@nestjs/common';
import { type DescribedClass, describeClass, type OutputOf, type ParsedOf, suggestClasses } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { accountTime, Clock, currentEnvironment, type RequestContext } from '@swim/platform';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { unfitFor } from '../lessons/eligibility.rules.js';
import { LessonReadingService } from '../sessions/reading/lesson-reading.service.js';

const MOST_LOOKED_AT = 50;
const MOST_SUGGESTED = 3;

/** What booking asks of a class in which a member is to be enrolled. */
@Injectable()
export class ClassEnrollingService {
  constructor(
    private readonly classes: ClassesRepository,
    private readonly places: ClassPlacesService,
    private readonly sessions: LessonReadingService,
    private readonly clock: Clock,
  ) {}

  /** Only places of sessions that the account sees count: it must not learn who else takes part. */
  @Serve(describeClass)
  async describe(
    { classId, memberId }: ParsedOf<typeof describeClass>,
    context: RequestContext,
  ): Promise<DescribedClass> {
    const { status, recurrence } = await this.classes.getVisible(context, classId);
    const toCome = (await this.places.lessonsOf(classId)).filter((lesson) => {
      const now = accountTime(this.clock, currentEnvironment(), lesson.clockOffsetMs);
      return lesson.status === 'scheduled' && lesson.start > now;
    });
    const ids = toCome.map(({ _id }) => _id);
    const seen = await this.sessions.findIn(ids, context.principal.accountId);
    const lessons = toCome.map(({ _id, start }) => {
      const own = seen.get(_id) ?? [];
      const isTaken = own.some((session) => session.member_id === memberId && session.status === 'scheduled');
      return { id: _id, date: start.toISOString(), isTaken };
    });
    return { status, timezone: recurrence.timezone, lessons };
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

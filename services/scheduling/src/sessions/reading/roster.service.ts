import { Inject, Injectable } from '@nestjs/common';
import {
  describePupils,
  getRoster,
  type Lesson,
  type ParsedOf,
  type Pupil,
  type Roster,
  type RosterSession,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { dateBounds } from '../../calendar/hours/local-time.rules.js';
import { ParticipantResolverService } from '../../participants/participant-resolver.service.js';
import { GivenLessonsRepository } from './given-lessons.repository.js';
import { LessonReadingService } from './lesson-reading.service.js';
import { OwnLessonsService } from './own-lessons.service.js';
import { TaughtLessonsRepository } from './taught-lessons.repository.js';

/** The fields of a member that the school may not read, or no longer. */
const UNKNOWN = {
  name: null,
  age_years: null,
  swimming_level: null,
  has_medical_notes: null,
  medical_notes: null,
  emergency_contact: null,
};

/** The participants of the lessons of an instructor on a day. The answer of people about the members is passed on, and stored nowhere. */
@Injectable()
export class RosterService {
  @Inject(OwnLessonsService) private readonly own!: OwnLessonsService;

  constructor(
    private readonly taught: TaughtLessonsRepository,
    private readonly reading: LessonReadingService,
    private readonly given: GivenLessonsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(getRoster)
  async get({ instructor_id, date }: ParsedOf<typeof getRoster>, context: RequestContext): Promise<Roster> {
    const { instructor } = await this.participants.findInstructor(context, instructor_id);
    if (!instructor || isOfAnother(instructor_id, context)) throw new AppError('resource_not_found');
    if (instructor.schoolId !== context.principal.accountId) throw new AppError('school_only');
    const { timezone } = instructor;
    await this.own.requireOwnDay(instructor_id, timezone, date, context);
    const taught = await this.taught.findOn(context, instructor_id, dateBounds(timezone, date));
    const lessons = (await this.reading.answerAll(taught, context)).map(withoutCancelled);
    const memberIds = [...new Set(lessons.flatMap(({ sessions }) => sessions.map(({ member_id }) => member_id)))];
    const [pupils, attendedSince] = await Promise.all([
      this.describe(memberIds, date, context),
      this.given.findFirstAttended(context, memberIds),
    ]);
    const entryOf = (lesson: Lesson, session: Lesson['sessions'][number]): RosterSession => ({
      ...(pupils.get(session.member_id) ?? { ...UNKNOWN, member_id: session.member_id }),
      session_id: session.id,
      attendance: session.attendance,
      first_lesson_with_school: !((attendedSince.get(session.member_id) ?? Infinity) < Date.parse(lesson.date)),
    });
    return {
      instructor_id,
      date,
      timezone,
      lessons: lessons.map((lesson) => ({ ...lesson, sessions: lesson.sessions.map((each) => entryOf(lesson, each)) })),
    };
  }

  private async describe(memberIds: string[], date: string, context: RequestContext): Promise<Map<string, Pupil>> {
    if (memberIds.length === 0) return new Map();
    const { pupils } = await this.rpc.call(describePupils, { memberIds, date }, context);
    return new Map(pupils.map((pupil) => [pupil.member_id, pupil]));
  }
}

const isOfAnother = (id: string, { principal: { instructorId } }: RequestContext): boolean =>
  instructorId !== undefined && instructorId !== id;

const withoutCancelled = (lesson: Lesson): Lesson => ({
  ...lesson,
  sessions: lesson.sessions.filter(({ status }) => status !== 'cancelled'),
});

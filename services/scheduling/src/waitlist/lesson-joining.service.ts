import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type joinWaitlist, type ParsedOf, timeReason } from '@swim/contracts';
import type { Managed } from '@swim/mongo';
import { AppError, accountTime, Clock, clockOffsetIn, newId, type RequestContext, sharedClock } from '@swim/platform';
import { BackgroundWorkService } from '../calendar/background-work.service.js';
import { CalendarService } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { PlaceConflictsService } from '../lessons/place-conflicts.service.js';
import { PlaceRequestsService } from '../lessons/place-requests.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { LessonLinesService } from './lesson-lines.service.js';
import { timeOf, WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

// Well after the end of the request.
const ATTEND_MS = 3_000;
// Who joins while there is a place is offered it in the answer, unless the line is long.
const ANSWER_MS = 3_000;
const LOOK_MS = 10;

type Requested = ParsedOf<typeof joinWaitlist> & { lesson_id: string };
type NewEntry = Omit<WaitlistDocument, Managed>;

/** Joins the lines of lessons. */
@Injectable()
export class LessonJoiningService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(PlaceConflictsService) private readonly conflicts!: PlaceConflictsService;
  @Inject(CalendarService) private readonly calendar!: CalendarService;
  @Inject(BackgroundWorkService) private readonly background!: BackgroundWorkService;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly lessons: LessonsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly places: PlaceRequestsService,
    private readonly lines: LessonLinesService,
  ) {}

  /** The entry as it would be stored. */
  async prepare(id: string, { lesson_id, member_id }: Requested, context: RequestContext): Promise<NewEntry> {
    const [lesson] = await this.lessons.findVisible(context, [lesson_id]);
    if (!lesson) throw new AppError('not_found', { field: 'lesson_id' });
    const asked = { instructor_id: lesson.instructorId, member_ids: [member_id] };
    const known = await this.participants.resolveForLessons(context, asked).catch(namingMember);
    const { env, accountId } = context.principal;
    const clocked = clockOffsetIn(env, known.rules.clockOffsetMs);
    const nowMs = accountTime(this.clock, env, clocked.clockOffsetMs).getTime();
    await this.requireFit(lesson, { ...known, members: known.placed, nowMs }, context);
    return {
      _id: id,
      readers: [...new Set([known.accountId, lesson.schoolId])],
      accountId: known.accountId,
      schoolId: lesson.schoolId,
      lessonId: lesson_id,
      ...(accountId === lesson.schoolId ? { asSchool: true as const } : {}),
      memberId: member_id,
      ...(known.rules.connection ? { connectionGen: known.rules.connection.generation } : {}),
      ...timeOf(lesson),
      status: 'waiting',
      offer: null,
      bookingId: null,
      openKey: `${lesson_id}/${member_id}`,
      dueAt: sharedClock.inMs(ATTEND_MS),
      leftAt: null,
      ...clocked,
    };
  }

  /** Stores the entry; its lesson learns of it next, and before anybody looks for a place. Returns it as it is then. */
  async join(prepared: NewEntry, context: RequestContext): Promise<WaitlistDocument> {
    const entry = await this.waitlist.insert(context, prepared);
    await this.lines.attend(entry);
    this.background.start(() => this.lines.serveNow(entry.lessonId!));
    // Another run may have taken the line over.
    const endsAtMs = performance.now() + ANSWER_MS;
    while (performance.now() < endsAtMs && (await this.lines.isDue(entry.lessonId!))) await delay(LOOK_MS);
    return (await this.waitlist.findVisible(context, entry._id)) ?? entry;
  }

  /** Rejects a lesson that is over, or does not fit the member, or in which the member has a place already. */
  private async requireFit(
    lesson: LessonDocument,
    requested: Omit<Parameters<PlaceRequestsService['requestOf']>[0], 'slots'>,
    context: RequestContext,
  ): Promise<void> {
    const [memberId, startMs] = [requested.members[0]!.id, lesson.start.getTime()];
    const places = { ...requested, slots: [{ lessonId: lesson._id, sessions: [{ id: newId('ses'), memberId }] }] };
    const request = await this.places.requestOf(places, context, 'lesson_id');
    const reason = timeReason(startMs, requested.nowMs);
    if (reason) throw new AppError(reason, { field: 'lesson_id' });
    const { blocked = [] } = request;
    if (blocked.length > 0) throw await this.conflicts.error(blocked, request, places, context, 'lesson_id');
    const busy = await this.calendar.busy(memberId, startMs, lesson.end.getTime());
    if (busy.some(({ holder }) => lesson.busy.some(({ h }) => h === holder)))
      throw new AppError('already_exists', { field: 'member_id', message: 'The member has a place in this lesson.' });
  }
}

/** Names the field of the one member. */
function namingMember(error: unknown): never {
  if (error instanceof AppError && error.details.field?.startsWith('member_ids'))
    throw new AppError(error.reason, { field: 'member_id' });
  throw error;
}

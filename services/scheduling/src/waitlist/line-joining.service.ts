import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type joinWaitlist, type ParsedOf, timeReason } from '@swim/contracts';
import type { Managed } from '@swim/mongo';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  invalidState,
  newId,
  type RequestContext,
  sharedClock,
} from '@swim/platform';
import { BackgroundWorkService } from '../calendar/background-work.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { PlaceConflictsService } from '../lessons/place-conflicts.service.js';
import { PlaceRequestsService, type PlacesRequest } from '../lessons/place-requests.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import type { RejectedSlot } from '../slots/slots.service.js';
import { ClassLinesService, timeOfClass } from './class-lines.service.js';
import { LessonLinesService } from './lesson-lines.service.js';
import { PlaceOffersService } from './place-offers.service.js';
import { type Line, type LineTime, timeOf, WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';
import { UnconnectedEntries } from './unconnected-entries.service.js';

// Well after the end of the request.
const ATTEND_MS = 3_000;
// Who joins while there is a place is offered it in the answer, unless the line is long.
const ANSWER_MS = 3_000;
const LOOK_MS = 10;

type Requested = ParsedOf<typeof joinWaitlist>;
type NewEntry = Omit<WaitlistDocument, Managed>;

/** The line that an account joins, and the lessons in which a place is awaited, in order. */
interface Awaited {
  field: 'lesson_id' | 'class_id';
  schoolId: string;
  line: Line;
  time: LineTime;
  lessons: LessonDocument[];
}

/** Joins the lines of lessons and classes. */
@Injectable()
export class LineJoiningService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(PlaceConflictsService) private readonly conflicts!: PlaceConflictsService;
  @Inject(PlaceOffersService) private readonly offers!: PlaceOffersService;
  @Inject(BackgroundWorkService) private readonly background!: BackgroundWorkService;
  @Inject(ClassLinesService) private readonly classLines!: ClassLinesService;
  @Inject(LessonLinesService) private readonly lessonLines!: LessonLinesService;
  @Inject(UnconnectedEntries) private readonly unconnected!: UnconnectedEntries;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly lessons: LessonsRepository,
    private readonly classes: ClassesRepository,
    private readonly participants: ParticipantResolverService,
    private readonly places: PlaceRequestsService,
  ) {}

  /** The entry as it would be stored. */
  async prepare(id: string, { lesson_id, class_id, member_id }: Requested, context: RequestContext): Promise<NewEntry> {
    const awaited = class_id ? await this.ofClass(class_id, context) : await this.ofLesson(lesson_id!, context);
    const asked = { instructor_id: awaited.lessons[0]!.instructorId, member_ids: [member_id] };
    const known = await this.participants.resolveForLessons(context, asked).catch(namingField(awaited.field));
    const { env, accountId } = context.principal;
    const clocked = clockOffsetIn(env, known.rules.clockOffsetMs);
    const nowMs = accountTime(this.clock, env, clocked.clockOffsetMs).getTime();
    await this.requireFit(awaited, { ...known, members: known.placed, nowMs }, context);
    const { schoolId, line, time } = awaited;
    return {
      _id: id,
      readers: [...new Set([known.accountId, schoolId])],
      accountId: known.accountId,
      schoolId,
      ...line,
      ...(accountId === schoolId ? { asSchool: true as const } : {}),
      memberId: member_id,
      ...(known.rules.connection ? { connectionGen: known.rules.connection.generation } : {}),
      ...time,
      status: 'waiting',
      offer: null,
      bookingId: null,
      openKey: `${class_id ?? lesson_id}/${member_id}`,
      dueAt: sharedClock.inMs(ATTEND_MS),
      leftAt: null,
      ...clocked,
    };
  }

  /** Stores the entry; its lesson or class learns of it next, and before anybody looks for a place. Returns it as it is then. */
  async join(prepared: NewEntry, context: RequestContext): Promise<WaitlistDocument> {
    const entry = await this.waitlist.insert(context, prepared);
    const field = entry.classId ? 'class_id' : 'lesson_id';
    if (await this.unconnected.leaveIfVoid(entry)) throw new AppError('connection_ended', { field });
    const [lines, lineId] = entry.classId ? [this.classLines, entry.classId] : [this.lessonLines, entry.lessonId!];
    await lines.attend(entry);
    this.background.start(async () => void (await lines.serveNow(lineId)));
    // Another run may have taken the line over.
    const endsAtMs = performance.now() + ANSWER_MS;
    while (performance.now() < endsAtMs && (await lines.isDue(lineId))) await delay(LOOK_MS);
    return (await this.waitlist.findVisible(context, entry._id)) ?? entry;
  }

  private async ofLesson(lessonId: string, context: RequestContext): Promise<Awaited> {
    const [lesson] = await this.lessons.findVisible(context, [lessonId]);
    if (!lesson) throw new AppError('not_found', { field: 'lesson_id' });
    const { schoolId } = lesson;
    return { field: 'lesson_id', schoolId, line: { lessonId }, time: timeOf(lesson), lessons: [lesson] };
  }

  private async ofClass(classId: string, context: RequestContext): Promise<Awaited> {
    const found = await this.classes.findVisible(context, classId);
    if (!found) throw new AppError('not_found', { field: 'class_id' });
    if (found.status !== 'open') throw invalidState('Only an open class has a line', found.status, 'class_id');
    const lessons = await this.classLines.lessonsOf(classId);
    if (lessons.length === 0) throw new AppError('in_past', { field: 'class_id' });
    const { schoolId } = found;
    return { field: 'class_id', schoolId, line: { classId }, time: timeOfClass(found, lessons), lessons };
  }

  /** Rejects what is over, does not fit the member, or in which the member has each place already. */
  private async requireFit(
    { field, lessons }: Awaited,
    requested: Omit<Parameters<PlaceRequestsService['requestOf']>[0], 'slots'>,
    context: RequestContext,
  ): Promise<void> {
    const memberId = requested.members[0]!.id;
    const slots = lessons.map(({ _id: lessonId }) => ({ lessonId, sessions: [{ id: newId('ses'), memberId }] }));
    const places = { ...requested, slots };
    const request = await this.places.requestOf(places, context, field);
    const reason = timeReason(lessons.at(-1)!.start.getTime(), requested.nowMs);
    if (reason) throw new AppError(reason, { field });
    const blocked = blockedOf(request);
    if (blocked.length > 0) throw await this.conflicts.error(blocked, request, places, context, field);
    if ((await this.offers.lacking(memberId, lessons)).length > 0) return;
    const message = `The member has a place in ${field === 'lesson_id' ? 'this lesson' : 'each lesson to come of this class'}.`;
    throw new AppError('already_exists', { field: 'member_id', message });
  }
}

/** What keeps a member from the places of a request: of several lessons those that begin too soon are not awaited. */
function blockedOf({ slots, blocked = [] }: PlacesRequest): RejectedSlot[] {
  const others = blocked.filter(({ reason }) => reason !== 'outside_availability');
  return others.length > 0 || blocked.length === slots.length ? blocked : [];
}

/** Names the field of the one member, and that of the line instead of those of its lessons. */
function namingField(line: Awaited['field']): (error: unknown) => never {
  return (error) => {
    const field = error instanceof AppError ? error.details.field : undefined;
    if (field?.startsWith('member_ids')) throw new AppError((error as AppError).reason, { field: 'member_id' });
    if (field === 'lesson_ids') throw new AppError((error as AppError).reason, { field: line });
    throw error;
  };
}

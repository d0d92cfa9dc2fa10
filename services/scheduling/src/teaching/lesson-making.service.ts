import { Injectable } from '@nestjs/common';
import { createLesson, type Lesson, type Location, type ParsedOf, unrepresentable } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  accountTime,
  Clock,
  causeOf,
  clockOffsetIn,
  currentEnvironment,
  type RequestContext,
} from '@swim/platform';
import { toLesson } from '../lessons/lesson.mapper.js';
import { LessonFulfilmentService, type LessonPlan } from '../lessons/lesson-fulfilment.service.js';
import { LessonsRepository, readersOf } from '../lessons/lessons.repository.js';
import { type KnownInstructor, ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { requireBookable } from '../sessions/making/session-plans.service.js';
import { completeAt } from '../sessions/storage/session.rules.js';
import { SlotsService } from '../slots/slots.service.js';

type Requested = ParsedOf<typeof createLesson>;

/** Makes the lessons with places that a school offers. */
@Injectable()
export class LessonMakingService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly slots: SlotsService,
    private readonly fulfilment: LessonFulfilmentService,
    private readonly clock: Clock,
  ) {}

  @Serve(createLesson)
  async create(input: Requested, context: RequestContext): Promise<Lesson> {
    const id = context.newId('lsn');
    const earlier = context.resumed ? await this.lessons.findAny(id) : null;
    if (earlier) return toLesson(earlier, []);
    const { instructor, rules } = await schoolInstructor(this.participants, input.instructor_id, context);
    const nowMs = accountTime(this.clock, currentEnvironment(), rules.clockOffsetMs).getTime();
    const startMs = requireBookable(Date.parse(input.date), nowMs);
    const endMs = startMs + input.duration_minutes * 60_000;
    const rejection = unrepresentable('price_cents', input.price_cents, instructor.currency);
    if (rejection) throw new AppError(rejection.reason, rejection);
    const { location, pool } = await this.participants.placeOf(context, input.location ?? null, rules);
    const lesson = newLesson(id, input, { location, startMs, endMs, currency: instructor.currency, rules });
    const plan: LessonPlan = { kind: 'lesson', lesson, cause: causeOf(context) };
    const request = {
      key: `${id}#0`,
      fence: context,
      rules: rulesForSchool(rules, { outsideHours: input.outside_hours }),
      pool,
      slots: [{ startMs, endMs, sessions: [], lessonId: id }],
      skip: false,
      nowMs,
      plan: () => plan,
    };
    if (context.dryRun) {
      await this.slots.checkOne(request);
      const madeAt = this.clock.now();
      return toLesson({ ...lesson, createdAt: madeAt, updatedAt: madeAt } as Parameters<typeof toLesson>[0], []);
    }
    return toLesson(await this.fulfilment.fulfil(await this.slots.claimOne(request), plan), []);
  }
}

/** What a lesson is made of beside what is requested. */
interface LessonFacts {
  location: Location | null;
  startMs: number;
  endMs: number;
  currency: string;
  rules: KnownInstructor['rules'];
}

/** A lesson with places, as it is first stored. */
export function newLesson(
  _id: string,
  input: Omit<Requested, 'instructor_id' | 'date' | 'location' | 'outside_hours'>,
  { location, startMs, endMs, currency, rules }: LessonFacts,
): LessonPlan['lesson'] {
  const { schoolId, instructorId, clockOffsetMs } = rules;
  return {
    _id,
    readers: readersOf({ schoolId, bookable: input.bookable }),
    schoolId,
    classId: null,
    bookingId: null,
    isPrivate: false,
    instructorId,
    location,
    start: new Date(startMs),
    end: new Date(endMs),
    durationMinutes: input.duration_minutes,
    capacity: input.capacity,
    bookable: input.bookable,
    levels: input.levels,
    minAgeYears: input.min_age_years ?? null,
    maxAgeYears: input.max_age_years ?? null,
    priceCents: input.price_cents,
    currency,
    status: 'scheduled',
    version: 1,
    gen: 0,
    moving: null,
    busy: [],
    gone: [],
    nextDueAt: completeAt({ endMs: endMs - (clockOffsetMs ?? 0) }),
    ...clockOffsetIn(currentEnvironment(), clockOffsetMs),
  };
}

/** An instructor of the caller's school. */
export async function schoolInstructor(
  participants: ParticipantResolverService,
  instructorId: string,
  context: RequestContext,
): Promise<KnownInstructor> {
  if (context.principal.kind !== 'school') throw new AppError('school_only');
  const known = await participants.instructor(context, instructorId);
  if (known.rules.schoolId !== context.principal.accountId) throw new AppError('not_found', { field: 'instructor_id' });
  return known;
}

// Longer than lessons can be planned ahead.
const ANY_DAYS_AHEAD = 36_600;

/** The rules by which a school plans: published hours bind it, unless it says otherwise; neither notice nor days ahead do. */
export const rulesForSchool = (
  rules: KnownInstructor['rules'],
  { outsideHours }: { outsideHours: boolean },
): KnownInstructor['rules'] => ({
  ...rules,
  enforceAvailability: rules.enforceAvailability && !outsideHours,
  schedule: { ...rules.schedule, minimum_notice_minutes: 0, maximum_days_ahead: ANY_DAYS_AHEAD },
});

import { Inject, Injectable } from '@nestjs/common';
import { createSubstitution, type ParsedOf, timeReason } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  type Answered,
  AppError,
  accountTime,
  Clock,
  causeOf,
  currentEnvironment,
  type RequestContext,
} from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { type KnownInstructor, ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { LessonTimesService } from '../sessions/reading/lesson-times.service.js';
import { lessonIdOf } from '../slots/slot.rules.js';
import { type PoolLanes, SlotsService } from '../slots/slots.service.js';
import { rulesForSchool, schoolInstructor } from './lesson-making.service.js';
import { SubstitutionWorkService } from './substitution-work.service.js';
import { SubstitutionsRepository } from './substitutions.repository.js';

const LONGEST_LESSON_MS = 240 * 60_000;

type Requested = ParsedOf<typeof createSubstitution>;
type Outcome = Answered<typeof createSubstitution>;

/** Has an instructor take over the lessons of another one. */
@Injectable()
export class SubstitutionsService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly substitutions: SubstitutionsRepository,
    private readonly work: SubstitutionWorkService,
    private readonly participants: ParticipantResolverService,
    private readonly times: LessonTimesService,
    private readonly slots: SlotsService,
  ) {}

  /** With the same key again, it goes on where an earlier run has stopped. */
  @Serve(createSubstitution)
  async create(input: Requested, context: RequestContext): Promise<Outcome> {
    const _id = context.newId('sub');
    const isBegun = context.resumed && (await this.substitutions.find(_id)) !== null;
    if (isBegun) return this.finish(_id, context);
    const substitute = await this.requireOwn(input, context);
    const lessons = await this.find(input, context);
    if (context.dryRun || input.on_conflict === 'fail') {
      const checked = await this.check(lessons, substitute, context);
      if (input.on_conflict === 'fail' && checked.skipped.length > 0)
        throw new AppError('conflicting_lessons', { field: 'substitute_id', details: { skipped: checked.skipped } });
      if (context.dryRun) return checked;
    }
    const begun = await this.substitutions.insert(context, {
      _id,
      accountId: context.principal.accountId,
      instructorId: input.instructor_id,
      substituteId: input.substitute_id,
      from: new Date(input.from),
      to: new Date(input.to),
      left: lessons.map((lesson) => lesson._id),
      cause: causeOf({ ...context, isQuiet: !input.notify_participants }),
    });
    if (begun) await this.substitutions.unfinished.handle(begun, (item) => this.work.handOver(item));
    return this.finish(_id, context);
  }

  private async finish(id: string, { deadline }: RequestContext): Promise<Outcome> {
    const { moved, skipped } = await this.work.finish(id, deadline);
    return { moved, skipped };
  }

  /** The substitute. */
  private async requireOwn(
    { instructor_id, substitute_id }: Requested,
    context: RequestContext,
  ): Promise<KnownInstructor> {
    const substitute = await schoolInstructor(this.participants, substitute_id, context).catch((error) => {
      if (!(error instanceof AppError) || error.details.field !== 'instructor_id') throw error;
      throw new AppError(error.reason, { field: 'substitute_id' });
    });
    // One who is not active any more has lessons to hand over, too.
    const { instructor } = await this.participants.findInstructor(context, instructor_id);
    if (instructor?.schoolId !== context.principal.accountId)
      throw new AppError('not_found', { field: 'instructor_id' });
    return substitute;
  }

  /** The lessons to take over. */
  private async find({ instructor_id, from, to }: Requested, context: RequestContext): Promise<LessonDocument[]> {
    const [fromMs, endMs] = [Date.parse(from), Date.parse(to)];
    const taught = await this.times.findTaught(context, instructor_id, { startMs: fromMs - LONGEST_LESSON_MS, endMs });
    return taught.filter(({ status, end }) => status === 'scheduled' && end.getTime() > fromMs);
  }

  /**
   * The outcome that a substitution of these lessons would have. All are looked at together: a change of each would take longer than the
   * request may. Only the substitute's time can be in the way, and closed time: the rest stays as it is.
   */
  private async check(
    lessons: LessonDocument[],
    { instructor, rules: known }: KnownInstructor,
    context: RequestContext,
  ): Promise<Outcome> {
    const rules = rulesForSchool(known, { outsideHours: false });
    const nowMs = accountTime(this.clock, currentEnvironment(), rules.clockOffsetMs).getTime();
    const reasons = new Map<string, string>();
    for (const { _id, start, currency } of lessons) {
      const reason = currency === instructor.currency ? timeReason(start.getTime(), nowMs) : 'currency_mismatch';
      if (reason) reasons.set(_id, reason);
    }
    const preview = async (of: LessonDocument[], pool: PoolLanes | null) => {
      const slots = of
        .filter(({ _id }) => !reasons.has(_id))
        .map(({ _id, start, end }) => ({
          ...{ startMs: start.getTime(), endMs: end.getTime() },
          ...{ sessions: [], lessonId: _id },
        }));
      const request = { key: '', fence: context, plan: () => undefined, rules, pool, slots, skip: true, nowMs };
      for (const { slot, reason } of await this.slots.preview(request)) reasons.set(lessonIdOf(slot), reason);
    };
    await preview(lessons, null);
    for (const [poolId, inPool] of Map.groupBy(lessons, ({ location }) => location?.pool_id ?? null)) {
      if (!poolId) continue;
      const { pool } = await this.participants.placeOf(context, { type: 'pool', pool_id: poolId }, rules);
      await preview(inPool, pool);
    }
    return outcomeOf(lessons, reasons);
  }
}

/** The outcome for these lessons, by the reasons for which some cannot be taken over. */
function outcomeOf(lessons: LessonDocument[], reasons: ReadonlyMap<string, string>): Outcome {
  const ids = lessons.map(({ _id }) => _id);
  return {
    moved: ids.filter((id) => !reasons.get(id)),
    skipped: ids.flatMap((lesson_id) => {
      const reason = reasons.get(lesson_id);
      return reason ? [{ lesson_id, reason }] : [];
    }),
  };
}

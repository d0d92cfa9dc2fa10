import { Injectable } from '@nestjs/common';
import { checkRoster, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { dateBounds, isoDate, localEpochDay } from '../../calendar/hours/local-time.rules.js';
import { ParticipantResolverService } from '../../participants/participant-resolver.service.js';
import { LessonSessionsRepository } from './lesson-sessions.repository.js';
import { TaughtLessonsRepository } from './taught-lessons.repository.js';

/** Days before and after today, in the zone of the instructor, of whose lessons a user of that role reads and writes. */
const REACH_DAYS = 7;

/** The lessons that a user of the role `instructor` may read and write. Anybody else is limited by scopes, and by the account. */
@Injectable()
export class OwnLessonsService {
  constructor(
    private readonly participants: ParticipantResolverService,
    private readonly taught: TaughtLessonsRepository,
    private readonly sessions: LessonSessionsRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws `resource_not_found` for the lessons of another instructor, and `missing_scope` for a day out of reach. */
  async requireOwn(taught: { instructorId: string; start: Date }, context: RequestContext): Promise<void> {
    const { instructorId } = context.principal;
    if (instructorId === undefined) return;
    if (taught.instructorId !== instructorId) throw new AppError('resource_not_found');
    const { startMs, endMs } = await this.reachOf(instructorId, context);
    const atMs = taught.start.getTime();
    if (atMs < startMs || atMs >= endMs) throw outOfReach();
  }

  /** As `requireOwn`, for a date in the zone of the instructor. */
  async requireOwnDay(instructorId: string, timezone: string, date: string, context: RequestContext): Promise<void> {
    await this.requireOwn({ instructorId, start: new Date(dateBounds(timezone, date).startMs) }, context);
  }

  @Serve(checkRoster)
  async check(
    { memberId }: ParsedOf<typeof checkRoster>,
    context: RequestContext,
  ): Promise<OutputOf<typeof checkRoster>> {
    const { instructorId, accountId } = context.principal;
    if (instructorId === undefined) return { isOnRoster: false };
    const lessons = await this.taught.findOn(context, instructorId, await this.reachOf(instructorId, context));
    const ids = lessons.map(({ _id }) => _id);
    const places = [...(await this.sessions.findIn(ids, accountId)).values()].flat();
    return {
      isOnRoster: places.some(({ member_id, status }) => member_id === memberId && status !== 'cancelled'),
    };
  }

  /** The time within reach. Throws `resource_not_found` when the school has no such instructor any more. */
  private async reachOf(instructorId: string, context: RequestContext): Promise<{ startMs: number; endMs: number }> {
    const { instructor, clockOffsetMs } = await this.participants.findInstructor(context, instructorId);
    const { env, accountId } = context.principal;
    if (instructor?.schoolId !== accountId) throw new AppError('resource_not_found');
    const nowMs = accountTime(this.clock, env, clockOffsetMs).getTime();
    const today = localEpochDay(instructor.timezone, nowMs);
    return {
      startMs: dateBounds(instructor.timezone, isoDate(today - REACH_DAYS)).startMs,
      endMs: dateBounds(instructor.timezone, isoDate(today + REACH_DAYS)).endMs,
    };
  }
}

const outOfReach = () =>
  new AppError('missing_scope', {
    message: `Your role covers your lessons from ${REACH_DAYS} days before to ${REACH_DAYS} days after today. Ask the office of the school.`,
  });

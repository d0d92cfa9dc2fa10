import { Injectable } from '@nestjs/common';
import { getAvailability, type ParsedOf, type Participants } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { type Answered, AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { fullSpans } from '../calendar/claim.rules.js';
import { occupiedSpan } from '../calendar/hours/availability.rules.js';
import { ParticipantResolverService, poolsOf } from '../participants/participant-resolver.service.js';
import { PoolsService } from '../pools/pools.service.js';
import { freeSlotsInPool } from './pool-lanes.rules.js';
import { rangeOf, type TimeRange, zonedWriter } from './range.rules.js';
import type { TakenTime } from './taken-time.service.js';

/** Computes when an instructor can be booked. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly participants: ParticipantResolverService,
    private readonly calendar: CalendarService,
    private readonly pools: PoolsService,
    private readonly clock: Clock,
  ) {}

  @Serve(getAvailability)
  async get(
    input: ParsedOf<typeof getAvailability>,
    context: RequestContext,
  ): Promise<Answered<typeof getAvailability>> {
    const { instructor_id, timezone, duration_minutes } = input;
    const { instructor, clockOffsetMs } = await this.participants.findInstructor(context, instructor_id);
    const nowMs = accountTime(this.clock, context.principal.env, clockOffsetMs).getTime();
    const range = rangeOf(input, nowMs);
    if ('rejected' in range) throw new AppError(range.rejected, range.extras);
    if (!instructor) throw new AppError('resource_not_found');
    const { schedule } = instructor;
    const taken = await this.takenTime(instructor, range);
    const free =
      instructor.status === 'active'
        ? freeSlotsInPool({
            schedule,
            timezone: instructor.timezone,
            ...taken,
            fromUtc: range.fromMs,
            toUtc: range.toMs,
            nowUtc: nowMs,
            durationMinutes: duration_minutes,
          })
        : [];
    const write = zonedWriter(timezone, range.fromMs, range.toMs);
    const slots = free.map(({ startMs, endMs }) => {
      const start = write(startMs);
      return { start, end: write(endMs), date: start, duration_minutes };
    });
    return { instructor_id, timezone, schedule: { timezone: instructor.timezone, ...schedule }, slots };
  }

  private async takenTime(
    instructor: NonNullable<Participants['instructor']>,
    { fromMs, toMs }: TimeRange,
  ): Promise<TakenTime> {
    const { id, schedule } = instructor;
    const around = occupiedSpan(schedule, fromMs, toMs);
    const pool = (await this.pools.findDefaults([{ id, ...poolsOf(instructor) }])).get(id);
    // Both in one query.
    const closable = [id, pool?.id ?? []].flat();
    const [busy, closed, inPool] = await Promise.all([
      this.calendar.busy(id, around.startMs, around.endMs),
      this.calendar.closed(closable, fromMs, toMs),
      pool ? this.calendar.busy(pool.id, fromMs, toMs) : [],
    ]);
    return { busy, full: [...closed, ...(pool ? fullSpans(inPool, pool.lanes) : [])] };
  }
}

import { Injectable } from '@nestjs/common';
import type { getAvailability, ParsedOf } from '@swim/contracts';
import { type Answered, AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { freeSlots, occupiedSpan } from '../calendar/availability.rules.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { rangeOf, zonedWriter } from './range.rules.js';

/** Computes when an instructor can be booked. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly participants: ParticipantResolverService,
    private readonly calendar: CalendarService,
    private readonly clock: Clock,
  ) {}

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
    const around = occupiedSpan(schedule, range.fromMs, range.toMs);
    const busy = await this.calendar.busy(context.principal.env, instructor_id, around.startMs, around.endMs);
    const free =
      instructor.status === 'active'
        ? freeSlots({
            schedule,
            timezone: instructor.timezone,
            busy,
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
}

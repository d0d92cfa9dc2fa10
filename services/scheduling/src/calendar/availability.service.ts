import { Injectable } from '@nestjs/common';
import type { getAvailability, ParsedOf } from '@swim/contracts';
import { type Answered, type Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { PlanningService } from '../sessions/planning.service.js';
import { freeSlots, occupiedSpan } from './availability.rules.js';
import { CalendarService } from './calendar.service.js';
import { rangeOf, zonedWriter } from './range.rules.js';

/** Answers when an instructor can be booked. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly planning: PlanningService,
    private readonly calendar: CalendarService,
  ) {}

  async get(input: ParsedOf<typeof getAvailability>, call: Call): Promise<Answered<typeof getAvailability>> {
    const { instructor_id, timezone, duration_minutes } = input;
    const nowMs = this.planning.nowMs();
    const range = rangeOf(input, nowMs);
    if ('refused' in range) throw new AppError(range.refused, { field: range.field });
    const instructor = await this.planning.findInstructor(call, instructor_id);
    if (!instructor) throw new AppError('resource_not_found');
    const { schedule } = instructor;
    const around = occupiedSpan(schedule, range.fromMs, range.toMs);
    const busy = await this.calendar.busy(call.principal.env, instructor_id, around.startMs, around.endMs);
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
    const slots = free.map(({ startMs, endMs }) => ({ start: write(startMs), end: write(endMs), duration_minutes }));
    return { instructor_id, timezone, schedule, slots };
  }
}

import { Injectable } from '@nestjs/common';
import type { findFreeInstructors, ParsedOf } from '@swim/contracts';
import { type Answered, accountTime, Clock, type RequestContext } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { dayIdsOf } from '../calendar/claim.rules.js';
import { isFree, takenWithin, timeToLookAt } from './free-instructors.rules.js';

type FreeInstructorsInput = ParsedOf<typeof findFreeInstructors>;

/** Finds which of many instructors are free, by the rules in the request. */
@Injectable()
export class FreeInstructorsService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly clock: Clock,
  ) {}

  async find(
    { instructors, ...requested }: FreeInstructorsInput,
    context: RequestContext,
  ): Promise<Answered<typeof findFreeInstructors>> {
    const { env } = context.principal;
    const open = instructors.flatMap(({ id, clockOffsetMs, ...rules }) => {
      const nowUtc = accountTime(this.clock, env, clockOffsetMs).getTime();
      const query = { ...requested, ...rules, nowUtc };
      const looked = timeToLookAt(query);
      return looked ? [{ id, query, looked, dayIds: dayIdsOf(id, looked.startMs, looked.endMs) }] : [];
    });
    // One query for the days of all instructors.
    const days = await this.calendar.findTakenOn(
      env,
      open.flatMap(({ dayIds }) => dayIds),
    );
    const byId = new Map(days.map((day) => [day._id, day]));
    const free = open.filter(({ query, looked, dayIds }) => {
      const onThem = dayIds.flatMap((dayId) => byId.get(dayId) ?? []);
      return isFree({ ...query, busy: takenWithin(looked, onThem) });
    });
    return { free: free.map(({ id }) => id) };
  }
}

import { Injectable } from '@nestjs/common';
import type { InstructorHours } from '@swim/contracts';
import { CalendarService } from '../calendar/calendar.service.js';
import { closedSpansOf, dayIdsOf } from '../calendar/claim.rules.js';
import type { Span } from '../calendar/hours/span.rules.js';
import { PoolsService } from '../pools/pools.service.js';
import { takenWithin } from './free-instructors.rules.js';
import { fullOn, type TakenDay } from './pool-lanes.rules.js';

const MOST_DAYS_READ = 2_000;

/** An instructor, and the span in which taken time matters. */
export interface LookedAt extends Pick<InstructorHours, 'id' | 'schoolId' | 'poolIds'> {
  looked: Span;
}

/** The instructor's taken time with buffers, and the time at which it is closed, or the default pool is closed or full. */
export interface TakenTime {
  busy: Span[];
  full: Span[];
}

/** The days of an instructor, and those of the default pool. */
interface DaysToRead<T> {
  instructor: T;
  dayIds: string[];
  lanes: number;
  poolDayIds: string[];
}

/** Reads the taken time of many instructors and of their default pools: one query for the pools, one for the days of many. */
@Injectable()
export class TakenTimeService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly pools: PoolsService,
  ) {}

  /** The instructors, each with its taken time, in parts whose days are one query. */
  async *read<T extends LookedAt>(instructors: readonly T[]): AsyncGenerator<Iterable<[T, TakenTime]>> {
    const withPools = instructors.flatMap(({ id, schoolId, poolIds = [] }) =>
      schoolId ? [{ id, schoolId, poolIds }] : [],
    );
    const pools = await this.pools.findDefaults(withPools);
    const toRead = instructors.map((instructor): DaysToRead<T> => {
      const { startMs, endMs } = instructor.looked;
      const pool = pools.get(instructor.id);
      const poolDayIds = pool ? dayIdsOf(pool.id, startMs, endMs) : [];
      return { instructor, dayIds: dayIdsOf(instructor.id, startMs, endMs), lanes: pool?.lanes ?? 0, poolDayIds };
    });
    for (const { part, dayIds } of inParts(toRead)) yield takenOf(part, await this.calendar.findTakenOn(dayIds));
  }
}

function* takenOf<T extends LookedAt>(
  part: readonly DaysToRead<T>[],
  days: readonly TakenDay[],
): Generator<[T, TakenTime]> {
  const byId = new Map(days.map((day) => [day._id, day]));
  const daysOf = (dayIds: readonly string[]) => dayIds.flatMap((dayId) => byId.get(dayId) ?? []);
  // Instructors share pools.
  const known = new Map<string, Span[]>();
  const fullOnce = (day: TakenDay, lanes: number): Span[] => {
    const full = known.get(day._id) ?? fullOn(day, lanes);
    known.set(day._id, full);
    return full;
  };
  for (const { instructor, dayIds, lanes, poolDayIds } of part) {
    const days = daysOf(dayIds);
    const full = daysOf(poolDayIds).flatMap((day) => fullOnce(day, lanes));
    yield [instructor, { busy: takenWithin(instructor.looked, days), full: [...closedSpansOf(days), ...full] }];
  }
}

/** Splits instructors so that the days of each part are one query; a day that several of them need counts once. */
function* inParts<T>(all: readonly DaysToRead<T>[]): Generator<{ part: DaysToRead<T>[]; dayIds: string[] }> {
  let part: DaysToRead<T>[] = [];
  let dayIds = new Set<string>();
  for (const each of all) {
    const added = [...each.dayIds, ...each.poolDayIds].filter((dayId) => !dayIds.has(dayId));
    if (part.length > 0 && dayIds.size + added.length > MOST_DAYS_READ) {
      yield { part, dayIds: [...dayIds] };
      [part, dayIds] = [[], new Set()];
    }
    part.push(each);
    for (const dayId of [...each.dayIds, ...each.poolDayIds]) dayIds.add(dayId);
  }
  if (part.length > 0) yield { part, dayIds: [...dayIds] };
}

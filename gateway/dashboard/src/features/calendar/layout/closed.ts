import type { CalendarDate } from '@internationalized/date';
import type { Closure } from '@swim/sdk';
import { instantOf, minutesOfDay } from './days.ts';
import type { ClosedTime, Row } from './layout.ts';

const DAY_MINUTES = 24 * 60;

/** The parts of a closure on days, in a time zone. */
function closedOn(closure: Closure, days: readonly CalendarDate[], timeZone: string): ClosedTime[] {
  const [fromMs, toMs] = [Date.parse(closure.from), Date.parse(closure.to)];
  return days.flatMap((date, day) => {
    const [startMs, endMs] = [instantOf(date, 0, timeZone), instantOf(date.add({ days: 1 }), 0, timeZone)];
    if (toMs <= startMs || fromMs >= endMs) return [];
    const startMinutes = fromMs <= startMs ? 0 : minutesOfDay(fromMs, timeZone);
    const endMinutes = toMs >= endMs ? DAY_MINUTES : minutesOfDay(toMs, timeZone);
    return { key: `${closure.id} ${day}`, day, startMinutes, endMinutes, reason: closure.reason };
  });
}

/**
 * Rows with their closed time: that of their instructor or pool. Where every pool is closed, nobody teaches: it is that of each
 * instructor too.
 */
export function withClosed(
  rows: readonly Row[],
  closures: readonly Closure[],
  { days, timeZone, poolIds }: { days: readonly CalendarDate[]; timeZone: string; poolIds: readonly string[] },
): Row[] {
  const closesAll = ({ pool_ids: ids }: Closure) => poolIds.length > 0 && poolIds.every((id) => ids.includes(id));
  return rows.map((row) => {
    const closes = (closure: Closure) =>
      [...closure.pool_ids, ...closure.instructor_ids].includes(row.resourceId) || closesAll(closure);
    return { ...row, closed: closures.filter(closes).flatMap((closure) => closedOn(closure, days, timeZone)) };
  });
}

import type { CalendarDate } from '@internationalized/date';
import type { Closure } from '@swim/sdk';
import { instantOf, minutesOfDay } from './days.ts';
import { type ClosedTime, type Row, USUAL } from './layout.ts';

const DAY_MINUTES = 24 * 60;

/** The parts of a closure on days, in a time zone. */
function closedOn(closure: Closure, { days, timeZone }: Closing): ClosedTime[] {
  const [fromMs, toMs] = [Date.parse(closure.from), Date.parse(closure.to)];
  return days.flatMap((date, day) => {
    const [startMs, endMs] = [instantOf(date, 0, timeZone), instantOf(date.add({ days: 1 }), 0, timeZone)];
    if (toMs <= startMs || fromMs >= endMs) return [];
    const startMinutes = fromMs <= startMs ? 0 : minutesOfDay(fromMs, timeZone);
    const endMinutes = toMs >= endMs ? DAY_MINUTES : minutesOfDay(toMs, timeZone);
    return { key: `${closure.id} ${day}`, day, startMinutes, endMinutes, reason: closure.reason };
  });
}

/** Whether lessons would usually be given in closed time: a day whose lessons are a list is marked then. */
export const closesDay = ({ startMinutes, endMinutes }: ClosedTime): boolean =>
  startMinutes < USUAL.last * 60 && endMinutes > USUAL.first * 60;

interface Closing {
  readonly days: readonly CalendarDate[];
  readonly timeZone: string;
  /** The pools in which an instructor teaches. */
  readonly poolsOf: (instructorId: string) => readonly string[];
}

/** Rows with their closed time: that of their instructor or pool; an instructor's also where all of the own pools are closed. */
export function withClosed(rows: readonly Row[], closures: readonly Closure[], closing: Closing): Row[] {
  return rows.map((row) => {
    const own = closing.poolsOf(row.resourceId);
    const closes = ({ pool_ids: pools, instructor_ids: instructors }: Closure) =>
      [...pools, ...instructors].includes(row.resourceId) || (own.length > 0 && own.every((id) => pools.includes(id)));
    return { ...row, closed: closures.filter(closes).flatMap((closure) => closedOn(closure, closing)) };
  });
}

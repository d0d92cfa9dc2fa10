import type { CalendarDate } from '@internationalized/date';
import { type DayTime, type Published, publishedOn, type Row } from './layout.ts';

const DAY_MINUTES = 24 * 60;

/** The time of days that an instructor does not publish; none where the instructor publishes no hours, and teaches at any time. */
export function outsideOf(days: readonly CalendarDate[], instructor: Published, timeZone: string): DayTime[] {
  const { weekly, overrides } = instructor.availability_schedule;
  if (weekly.length === 0 && overrides.length === 0) return [];
  const published = publishedOn(days, [instructor], timeZone).toSorted((a, b) => a.startMinutes - b.startMinutes);
  return days.flatMap((_, day) => {
    const gaps: DayTime[] = [];
    let end = 0;
    for (const { startMinutes, minutes } of published.filter((each) => each.day === day)) {
      if (startMinutes > end) gaps.push({ day, startMinutes: end, endMinutes: startMinutes });
      end = Math.max(end, startMinutes + minutes);
    }
    if (end < DAY_MINUTES) gaps.push({ day, startMinutes: end, endMinutes: DAY_MINUTES });
    return gaps;
  });
}

interface Publishing {
  readonly days: readonly CalendarDate[];
  readonly timeZone: string;
  readonly instructors: readonly (Published & { readonly id: string })[];
}

/** Rows of instructors with the time outside their hours. */
export function withOutside(rows: readonly Row[], { days, timeZone, instructors }: Publishing): Row[] {
  const byId = new Map(instructors.map((each) => [each.id, each]));
  return rows.map((row) => {
    const instructor = byId.get(row.resourceId);
    return instructor ? { ...row, outside: outsideOf(days, instructor, timeZone) } : row;
  });
}

/** Whether a whole day is outside. */
export const isWholeDay = ({ startMinutes, endMinutes }: DayTime): boolean =>
  startMinutes === 0 && endMinutes === DAY_MINUTES;

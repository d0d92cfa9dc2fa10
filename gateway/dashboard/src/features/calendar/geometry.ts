import type { CalendarDate } from '@internationalized/date';
import { instantOf } from './days.ts';
import type { Hours, PlacedLesson } from './layout.ts';

/** Steps in which a lesson is moved. */
const STEP_MINUTES = 5;
export const LEVEL_HEIGHT = 40;

/** How minutes become pixels. */
export interface Geometry {
  readonly days: readonly CalendarDate[];
  readonly hours: Hours;
  readonly hourWidth: number;
  readonly dayWidth: number;
  /** Pixels of the column of names, left of the first day. */
  readonly namesWidth: number;
  readonly timeZone: string;
}

export const geometryOf = (
  days: readonly CalendarDate[],
  hours: Hours,
  { hourWidth, namesWidth }: Pick<Geometry, 'hourWidth' | 'namesWidth'>,
  timeZone: string,
): Geometry => ({
  days,
  hours,
  hourWidth,
  namesWidth,
  dayWidth: (hours.last - hours.first) * hourWidth,
  timeZone,
});

const LEAST_STEP_WIDTH = 34;

/** How many hours apart hours are labelled and marked, so that their labels do not overlap. */
export const hourStep = ({ hourWidth }: Geometry): number =>
  [1, 2, 3, 4, 6].find((each) => each * hourWidth >= LEAST_STEP_WIDTH) ?? 12;

/** Where a time of a day begins, in pixels from the left of the first day. */
export const leftOf = ({ hours, hourWidth, dayWidth }: Geometry, day: number, minutes: number): number =>
  day * dayWidth + (minutes / 60 - hours.first) * hourWidth;

/** Where a lesson stands in its row. */
export function boxOf(geometry: Geometry, lesson: PlacedLesson) {
  return {
    left: leftOf(geometry, lesson.day, lesson.startMinutes),
    width: Math.max((lesson.minutes / 60) * geometry.hourWidth - 1, 4),
    top: lesson.level * LEVEL_HEIGHT,
  };
}

/** A time by the clock on the wall, of one of the days. */
export interface Spot {
  readonly day: number;
  readonly minutes: number;
}

/** The time at a distance from the left, in steps; within the hours that are shown. */
export function spotAt({ hours, hourWidth, dayWidth, days }: Geometry, x: number): Spot {
  const day = Math.min(Math.max(Math.floor(x / dayWidth), 0), days.length - 1);
  const minutes = hours.first * 60 + ((x - day * dayWidth) / hourWidth) * 60;
  const stepped = Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;
  return { day, minutes: Math.min(Math.max(stepped, hours.first * 60), hours.last * 60 - STEP_MINUTES) };
}

/** The instant of a time, ISO 8601. */
export const isoOf = ({ days, timeZone }: Geometry, { day, minutes }: Spot): string =>
  new Date(instantOf(days[day]!, minutes, timeZone)).toISOString();

import type { CalendarDate } from '@internationalized/date';
import { instantOf } from './days.ts';
import type { Hours, PlacedLesson, Row } from './layout.ts';

/** Steps in which a lesson is moved. */
const STEP_MINUTES = 5;
const LEVEL_HEIGHT = 40;
const LEVEL_GAP = 4;
/** Height of a lesson in the list of its day. */
const ENTRY_HEIGHT = 24;
const ENTRY_GAP = 2;

/** The hours along which the lessons of a day lie. */
export interface Axis {
  readonly hours: Hours;
  /** In pixels. */
  readonly hourWidth: number;
}

/** How days and minutes become pixels. */
export interface Geometry {
  readonly days: readonly CalendarDate[];
  /** null where the lessons of a day are a list. */
  readonly axis: Axis | null;
  readonly dayWidth: number;
  /** Pixels of the column of names, left of the first day. */
  readonly namesWidth: number;
  readonly timeZone: string;
}

export const dayWidthOf = ({ hours, hourWidth }: Axis): number => (hours.last - hours.first) * hourWidth;

const LEAST_STEP_WIDTH = 34;

/** How many hours apart hours are labelled and marked, so that their labels do not overlap. */
export const hourStep = ({ hourWidth }: Axis): number =>
  [1, 2, 3, 4, 6].find((each) => each * hourWidth >= LEAST_STEP_WIDTH) ?? 12;

/** Where a time of a day begins, in pixels from the left of the first day. */
export const leftOf = ({ axis, dayWidth }: Geometry, day: number, minutes: number): number =>
  day * dayWidth + (axis ? (minutes / 60 - axis.hours.first) * axis.hourWidth : ENTRY_GAP);

const levelOf = ({ axis }: Geometry) =>
  axis ? { height: LEVEL_HEIGHT, gap: LEVEL_GAP } : { height: ENTRY_HEIGHT, gap: ENTRY_GAP };

/** The height of a row; its name needs that of a level. */
export const rowHeightOf = (geometry: Geometry, { levels }: Row): number =>
  Math.max(levels * levelOf(geometry).height, LEVEL_HEIGHT) + LEVEL_GAP;

/** The size of a lesson of so many minutes. */
export function sizeOf(geometry: Geometry, minutes: number) {
  const { axis, dayWidth } = geometry;
  const { height, gap } = levelOf(geometry);
  const width = axis ? Math.max((minutes / 60) * axis.hourWidth - 1, 4) : dayWidth - 2 * ENTRY_GAP - 1;
  return { width, height: height - gap };
}

/** Where a lesson stands in its row, from the top left of the first day. */
export const placeOf = (geometry: Geometry, lesson: PlacedLesson) => ({
  left: leftOf(geometry, lesson.day, lesson.startMinutes),
  top: lesson.level * levelOf(geometry).height,
});

/** A time by the clock on the wall, of one of the days. */
export interface Spot {
  readonly day: number;
  readonly minutes: number;
}

const dayAt = ({ days, dayWidth }: Geometry, x: number): number =>
  Math.min(Math.max(Math.floor(x / dayWidth), 0), days.length - 1);

/**
 * The time to which a lesson is dragged, in steps and within the hours that are shown: of its left edge at `x`. In the list of
 * another day it keeps its time, whatever its edge: the day is that of the pointer, `grip` pixels further right.
 */
export function spotAt(
  geometry: Geometry,
  x: number,
  { startMinutes, grip }: { startMinutes: number; grip: number },
): Spot {
  const { axis, dayWidth } = geometry;
  if (!axis) return { day: dayAt(geometry, x + grip), minutes: startMinutes };
  const { hours, hourWidth } = axis;
  const day = dayAt(geometry, x);
  const minutes = hours.first * 60 + ((x - day * dayWidth) / hourWidth) * 60;
  const stepped = Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;
  return { day, minutes: Math.min(Math.max(stepped, hours.first * 60), hours.last * 60 - STEP_MINUTES) };
}

/** The half hour at `x` of a day along its hours; the usual first hour of a day whose lessons are a list. */
export function emptyAt(geometry: Geometry, x: number): Spot {
  const { axis, dayWidth } = geometry;
  const day = dayAt(geometry, x);
  if (!axis) return { day, minutes: 9 * 60 };
  const minutes = axis.hours.first * 60 + ((x - day * dayWidth) / axis.hourWidth) * 60;
  return { day, minutes: Math.floor(minutes / 30) * 30 };
}

/** The instant of a time, ISO 8601. */
export const isoOf = ({ days, timeZone }: Geometry, { day, minutes }: Spot): string =>
  new Date(instantOf(days[day]!, minutes, timeZone)).toISOString();

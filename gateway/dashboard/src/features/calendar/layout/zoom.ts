import type { Span } from './days.ts';
import { daysOf } from './days.ts';
import type { Hours } from './layout.ts';

/** The views with an axis of hours, which can be zoomed. */
export type HourlySpan = Exclude<Span, 'week'>;

/** Pixels of an hour at each step of the zoom. */
export const ZOOMS = [10, 16, 28, 48, 80, 128, 200] as const;
const USUAL_HOURS = 10;
/** Width of the navigation, the margins and the column of names. */
const BESIDE = 470;

/** Below it, a period cannot both fit and be read: it is as large as its days, or the names of a day, need. */
const NARROW = 900;
const LEAST_ZOOM: Readonly<Record<HourlySpan, number>> = { day: 3, timeline: 1 };
/** In a wide window: names in the lessons of a day need it, and a lesson of a week is still seen. */
const LEAST_WIDTH: Readonly<Record<HourlySpan, number>> = { day: ZOOMS[3], timeline: 6 };
/** The width of an hour is a multiple of it: a whole pixel more or less would be 70 of a week. */
const PART = 0.25;
/** A time and the beginning of a name. */
const LEAST_LIST_WIDTH = 112;

/** Pixels of an hour at which a period of so many hours a day fills the window. */
const fittingWidth = (span: HourlySpan, windowWidth: number, hours: number): number =>
  Math.floor((windowWidth - BESIDE) / (hours * daysOf(span)) / PART) * PART;

/** Pixels of a day of a week whose days are lists: those of a seventh of the window, unless names need more. */
export const listWidthOf = (windowWidth: number): number =>
  Math.max(Math.floor((windowWidth - BESIDE) / daysOf('week')), LEAST_LIST_WIDTH);

/** The largest zoom at which a usual period fits into the window; on a phone one at which it can be read. */
export const fittingZoom = (span: HourlySpan, windowWidth: number): number =>
  Math.max(
    ZOOMS.findLastIndex((each) => each <= fittingWidth(span, windowWidth, USUAL_HOURS)),
    windowWidth < NARROW ? LEAST_ZOOM[span] : 0,
  );

export interface Zoom {
  readonly span: HourlySpan;
  /** An index of `ZOOMS`. */
  readonly step: number;
  /** Otherwise the period fills the window. */
  readonly isChosen: boolean;
  readonly windowWidth: number;
}

/** Pixels of an hour: those of a chosen zoom, else as many as fill the window with these hours of each day. */
export function hourWidthOf({ span, step, isChosen, windowWidth }: Zoom, { first, last }: Hours): number {
  if (isChosen) return ZOOMS[step]!;
  const least = windowWidth < NARROW ? ZOOMS[step]! : LEAST_WIDTH[span];
  return Math.max(least, fittingWidth(span, windowWidth, last - first));
}

import type { Span } from './days.ts';
import type { Hours } from './layout.ts';

/** Pixels of an hour at each step of the zoom. */
export const ZOOMS = [10, 16, 28, 48, 80, 128, 200] as const;
const USUAL_HOURS = 10;
/** Of the navigation, the margins and the column of names. */
const BESIDE = 470;

/** Below it, a period cannot both fit and be read: it is as large as its days, or the names of a day, need. */
const NARROW = 900;
const LEAST_ZOOM: Readonly<Record<Span, number>> = { day: 3, week: 1 };
/** In a wide window: names in the lessons of a day need it, and a lesson of a week is still seen. */
const LEAST_WIDTH: Readonly<Record<Span, number>> = { day: ZOOMS[3], week: 6 };
/** The width of an hour is a multiple of it: a whole pixel more or less would be 70 of a week. */
const PART = 0.25;

/** Pixels of an hour at which a period of so many hours a day fills the window. */
const fittingWidth = (span: Span, windowWidth: number, hours: number): number =>
  Math.floor((windowWidth - BESIDE) / (hours * (span === 'week' ? 7 : 1)) / PART) * PART;

/** The largest zoom at which a usual period fits into the window; on a phone one at which it can be read. */
export const fittingZoom = (span: Span, windowWidth: number): number =>
  Math.max(
    ZOOMS.findLastIndex((each) => each <= fittingWidth(span, windowWidth, USUAL_HOURS)),
    windowWidth < NARROW ? LEAST_ZOOM[span] : 0,
  );

export interface Zoom {
  readonly span: Span;
  /** An index of `ZOOMS`. */
  readonly zoom: number;
  /** Otherwise the period fills the window. */
  readonly isZoomChosen: boolean;
  readonly windowWidth: number;
}

/** Pixels of an hour: those of a chosen zoom, else as many as fill the window with these hours of each day. */
export function hourWidthOf({ span, zoom, isZoomChosen, windowWidth }: Zoom, { first, last }: Hours): number {
  if (isZoomChosen) return ZOOMS[zoom]!;
  const least = windowWidth < NARROW ? ZOOMS[zoom]! : LEAST_WIDTH[span];
  return Math.max(least, fittingWidth(span, windowWidth, last - first));
}

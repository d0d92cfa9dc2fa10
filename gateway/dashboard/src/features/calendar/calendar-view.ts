import { useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useMe } from '../../api/me.ts';
import { dateIn, dateOf, type Span } from './days.ts';

export const ROW_KINDS = ['instructors', 'lanes'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Pixels of an hour at each step of the zoom. */
export const ZOOMS = [10, 16, 28, 48, 80, 128, 200] as const;
const USUAL_HOURS = 10;
/** Of the navigation, the margins and the column of names. */
const BESIDE = 470;

/** Below it, a period cannot both fit and be read: it is as large as its days, or the names of a day, need. */
const NARROW = 900;
const PHONE = 640;
const LEAST_ZOOM: Readonly<Record<Span, number>> = { day: 3, week: 1 };
/** The width of an hour is a multiple of it: a whole pixel more or less would be 70 of a week. */
const PART = 0.25;

/** Pixels of an hour at which a usual period fills the window. */
const fittingWidth = (span: Span, windowWidth: number): number =>
  Math.floor((windowWidth - BESIDE) / (USUAL_HOURS * (span === 'week' ? 7 : 1)) / PART) * PART;

/** The largest zoom at which a usual period fits into the window; on a phone one at which it can be read. */
const fittingZoom = (span: Span, windowWidth: number): number =>
  Math.max(
    ZOOMS.findLastIndex((each) => each <= fittingWidth(span, windowWidth)),
    windowWidth < NARROW ? LEAST_ZOOM[span] : 0,
  );

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

const useWindowWidth = (): number => useSyncExternalStore(onResize, () => innerWidth);

/** What the calendar shows, which its address says: it can be sent to a colleague, and the way back leads to it. */
export interface View {
  readonly date: string;
  readonly span: Span;
  readonly rows: RowKind;
  readonly zoom: number;
  /** Pixels of an hour: those of the zoom, or as many as fill the window while none is chosen. */
  readonly hourWidth: number;
  /** Pixels of the column of names. */
  readonly namesWidth: number;
}

/** On a phone names are broken into lines, so that most of its width is that of the lessons. */
const namesWidthIn = (windowWidth: number): number => (windowWidth < PHONE ? 96 : 168);

/** The zoom of an address, else one that fits. */
function zoomOf(chosen: string | null, span: Span, windowWidth: number): Pick<View, 'zoom' | 'hourWidth'> {
  const hourWidth = chosen === null ? undefined : ZOOMS[Number(chosen)];
  if (hourWidth !== undefined) return { zoom: Number(chosen), hourWidth };
  const zoom = fittingZoom(span, windowWidth);
  return { zoom, hourWidth: Math.max(ZOOMS[zoom]!, fittingWidth(span, windowWidth)) };
}

/** The view of the address, and how to change it. */
export function useView(nowMs: number): [View, (changes: Partial<Omit<View, 'hourWidth' | 'namesWidth'>>) => void] {
  const { timezone } = useMe().account;
  const [, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const span: Span = query.get('span') === 'day' ? 'day' : 'week';
  const windowWidth = useWindowWidth();
  const view: View = {
    date: (dateOf(query.get('date')) ?? dateIn(nowMs, timezone)).toString(),
    span,
    rows: query.get('rows') === 'lanes' ? 'lanes' : 'instructors',
    namesWidth: namesWidthIn(windowWidth),
    ...zoomOf(query.get('zoom'), span, windowWidth),
  };
  const change = (changes: Partial<View>) => {
    const { date, span: nextSpan, rows } = { ...view, ...changes };
    // Each span has a zoom that suits it, until another one is chosen.
    const zoom = nextSpan === span ? (changes.zoom?.toString() ?? query.get('zoom')) : null;
    const chosen = zoom === null ? {} : { zoom };
    navigate(`/calendar?${new URLSearchParams({ date, span: nextSpan, rows, ...chosen })}`, { replace: true });
  };
  return [view, change];
}

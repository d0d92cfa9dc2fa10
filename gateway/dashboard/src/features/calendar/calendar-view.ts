import { useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useMe } from '../../api/me.ts';
import { dateIn, dateOf, SPANS, type Span } from './layout/days.ts';
import { fittingZoom, type HourlySpan, ZOOMS, type Zoom } from './layout/zoom.ts';

export const ROW_KINDS = ['instructors', 'lanes'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

const useWindowWidth = (): number => useSyncExternalStore(onResize, () => innerWidth);

/** The view of the calendar. It is in the URL, so that it can be shared and found by the back button. */
export interface View {
  readonly date: string;
  readonly span: Span;
  readonly rows: RowKind;
  /** Pixels of the column of names. */
  readonly namesWidth: number;
  readonly windowWidth: number;
  /** null where the days are lists of lessons. */
  readonly zoom: Zoom | null;
}

/** The changes that the toolbar makes. */
export interface ViewChanges extends Partial<Pick<View, 'date' | 'span' | 'rows'>> {
  /** An index of `ZOOMS`. */
  readonly zoom?: number;
}

const PHONE = 640;

/** On a phone names are broken into lines, so that most of its width is that of the lessons. */
const namesWidthIn = (windowWidth: number): number => (windowWidth < PHONE ? 96 : 168);

/** The zoom of an address, else one that fits. */
function zoomOf(chosen: string | null, span: HourlySpan, windowWidth: number): Zoom {
  const isChosen = chosen !== null && ZOOMS[Number(chosen)] !== undefined;
  return { span, step: isChosen ? Number(chosen) : fittingZoom(span, windowWidth), isChosen, windowWidth };
}

/** The view of the address, and how to change it. */
export function useView(nowMs: number): [View, (changes: ViewChanges) => void] {
  const { timezone } = useMe().account;
  const [, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const span = SPANS.find((each) => each === query.get('span')) ?? 'week';
  const windowWidth = useWindowWidth();
  const view: View = {
    date: (dateOf(query.get('date')) ?? dateIn(nowMs, timezone)).toString(),
    span,
    rows: query.get('rows') === 'lanes' ? 'lanes' : 'instructors',
    windowWidth,
    namesWidth: namesWidthIn(windowWidth),
    zoom: span === 'week' ? null : zoomOf(query.get('zoom'), span, windowWidth),
  };
  const change = (changes: ViewChanges) => {
    const { date, span: nextSpan, rows } = { ...view, ...changes };
    // Each span has a zoom that suits it, until another one is chosen.
    const zoom = nextSpan === span ? (changes.zoom?.toString() ?? query.get('zoom')) : null;
    const chosen = zoom === null ? {} : { zoom };
    navigate(`/calendar?${new URLSearchParams({ date, span: nextSpan, rows, ...chosen })}`, { replace: true });
  };
  return [view, change];
}

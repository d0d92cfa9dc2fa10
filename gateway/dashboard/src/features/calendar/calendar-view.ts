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

/** The largest zoom at which a usual period fits into the window; on a phone one at which days can be distinguished. */
function fittingZoom(span: Span, windowWidth: number): number {
  const hourWidth = (windowWidth - BESIDE) / (USUAL_HOURS * (span === 'week' ? 7 : 1));
  return Math.max(
    ZOOMS.findLastIndex((each) => each <= hourWidth),
    windowWidth < 900 ? 1 : 0,
  );
}

/** What the calendar shows, which its address says: it can be sent to a colleague, and the way back leads to it. */
export interface View {
  readonly date: string;
  readonly span: Span;
  readonly rows: RowKind;
  readonly zoom: number;
}

/** The view of the address, and how to change it. */
export function useView(nowMs: number): [View, (changes: Partial<View>) => void] {
  const { timezone } = useMe().account;
  const [, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const span: Span = query.get('span') === 'day' ? 'day' : 'week';
  const zoom = Number(query.get('zoom') ?? fittingZoom(span, innerWidth));
  const view: View = {
    date: (dateOf(query.get('date')) ?? dateIn(nowMs, timezone)).toString(),
    span,
    rows: query.get('rows') === 'lanes' ? 'lanes' : 'instructors',
    zoom: ZOOMS[zoom] ? zoom : fittingZoom(span, innerWidth),
  };
  const change = (changes: Partial<View>) => {
    const { zoom: chosen, ...next } = { ...view, ...changes };
    // Each span has a zoom that suits it, until another one is chosen.
    const zoomed = changes.span && changes.span !== span ? fittingZoom(changes.span, innerWidth) : chosen;
    navigate(`/calendar?${new URLSearchParams({ ...next, zoom: String(zoomed) })}`, { replace: true });
  };
  return [view, change];
}

/** The months up to that of an instant in a time zone, newest first: YYYY-MM. */
export function monthsUntil(now: Date, timeZone: string, count: number): string[] {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(now);
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const newest = partOf('year') * 12 + partOf('month') - 1;
  return Array.from({ length: count }, (_, back) => newest - back).map(
    (month) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
  );
}

/** A bar of the chart: its share of the height, above or below the line. */
export interface Bar {
  readonly date: string;
  readonly up: number;
  readonly down: number;
}

/** The bars of days, of which the longest fills the chart. */
export function barsOf(
  days: readonly { readonly date: string; readonly charged_cents: number; readonly refunded_cents: number }[],
): Bar[] {
  const most = Math.max(1, ...days.flatMap((day) => [day.charged_cents, day.refunded_cents]));
  return days.map((day) => ({ date: day.date, up: day.charged_cents / most, down: day.refunded_cents / most }));
}

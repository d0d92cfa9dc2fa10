import { weightOf } from '../requests/accept-header.js';

/** An answer with rows that can be given as CSV: numbers, and texts without commas and quotes. */
export interface Tabular {
  readonly days: readonly Record<string, string | number>[];
  readonly totals: Record<string, number>;
}

/** The rows as CSV (RFC 4180), with a header, and the totals as the last row. */
export function toCsv({ days, totals }: Tabular): string {
  const columns = Object.keys(days[0] ?? { date: '', ...totals });
  const rows = [...days, { ...totals, date: 'total' } as Record<string, string | number>];
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

/** Whether a client prefers CSV to JSON: it names text/csv, and no more weight for JSON. */
export function prefersCsv(accept = ''): boolean {
  const csv = weightOf('text/csv', accept) ?? 0;
  return csv > 0 && csv >= (weightOf('application/json', accept) ?? 0);
}

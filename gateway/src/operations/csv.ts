import { weightOf } from '../requests/accept-header.js';

/** An answer with rows that can be given as CSV: numbers, and texts without commas and quotes. */
export interface Tabular {
  readonly days: readonly Row[];
  readonly totals: Row;
}

type Row = Record<string, string | number | Record<string, number>>;

/** The cells of a row; an object of numbers has one for each of its fields. */
const cellsOf = (row: Row): [string, string | number][] =>
  Object.entries(row).flatMap(([column, value]): [string, string | number][] =>
    typeof value === 'object'
      ? Object.entries(value).map(([field, cell]) => [`${column}.${field}`, cell])
      : [[column, value]],
  );

/** The rows as CSV (RFC 4180), with a header, and the totals as the last row. */
export function toCsv({ days, totals }: Tabular): string {
  const columns = cellsOf(days[0] ?? { date: '', ...totals }).map(([column]) => column);
  const rows = [...days, { ...totals, date: 'total' }].map((row) => Object.fromEntries(cellsOf(row)));
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

/** Whether a client prefers CSV to JSON: it names text/csv, and no more weight for JSON. */
export function prefersCsv(accept = ''): boolean {
  const csv = weightOf('text/csv', accept) ?? 0;
  return csv > 0 && csv >= (weightOf('application/json', accept) ?? 0);
}

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

/** The weight of a media type in an Accept header (RFC 9110 section 12.5.1), 0 when it is not named. */
function weightOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}

/** Whether a client asks for CSV rather than JSON: it names text/csv, and no more weight for JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  const csv = weightOf('text/csv', accept ?? '');
  return csv > 0 && csv >= weightOf('application/json', accept ?? '');
}

import Papa from 'papaparse';

/** The most rows of an import. */
export const MOST_ROWS = 10_000;
const MOST_BYTES = 20_000_000;

/** A row of a file: its line as spreadsheets count, from 1, and its cells. */
export interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/** A file of rows below a row of titles. */
export interface CsvTable {
  readonly titles: readonly string[];
  readonly lines: readonly Line[];
}

/** What is wrong with a file as a whole. */
export type FileProblem = 'empty' | 'broken' | 'tooLarge' | 'tooMany';

/** The text of a file: UTF-8, or UTF-16 where it begins with that mark; else the Latin letters of Windows. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    // The decoder leaves out a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads a CSV file: commas, semicolons or tabs between its cells, which stay texts. A problem where it has no rows, or too many. */
export function readCsv(bytes: Uint8Array): CsvTable | FileProblem {
  if (bytes.length > MOST_BYTES) return 'tooLarge';
  const text = textOf(bytes);
  // Empty lines are counted, but say nothing about what separates cells.
  const { delimiter } = Papa.parse(text, { preview: 10, skipEmptyLines: 'greedy' }).meta;
  const { data, errors } = Papa.parse<string[]>(text, { delimiter });
  const [head, ...lines] = data
    .map((cells, at) => ({ number: at + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (!head || lines.length === 0) return 'empty';
  if (errors.some(({ type }) => type === 'Quotes')) return 'broken';
  if (lines.length > MOST_ROWS) return 'tooMany';
  return { titles: head.cells, lines };
}

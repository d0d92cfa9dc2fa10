import type { ImportRow, Reading } from './rows.ts';

/** The rows of a file for an import, and the line of each. */
export interface Prepared {
  readonly rows: readonly ImportRow[];
  readonly lines: readonly number[];
}

/** What goes on after a reload: how the file was read, and by what it is known. Nothing about a person. */
export interface Memo {
  readonly total: number;
  readonly digest: string;
  readonly reading: Pick<Reading, 'columns' | 'order' | 'countryCode'>;
}

/** In the memory of the page alone: data of children are not to stay in a browser. After a reload the file is chosen again. */
const prepared = new Map<string, Prepared>();
const keyOf = (importId: string) => `swim-import-${importId}`;

export const preparedFor = (importId: string): Prepared | undefined => prepared.get(importId);

/** Keeps the rows of an import until it has run. */
export const keep = (importId: string, rows: Prepared): void => void prepared.set(importId, rows);

/** Remembers for this tab how the file of an import was read. */
export const remember = (importId: string, memo: Memo): void =>
  sessionStorage.setItem(keyOf(importId), JSON.stringify(memo));

/** How the file of an import was read; null where this tab does not know. */
export function memoOf(importId: string): Memo | null {
  const stored = sessionStorage.getItem(keyOf(importId));
  return stored ? (JSON.parse(stored) as Memo) : null;
}

/** Forgets the file of an import. */
export function forget(importId: string): void {
  prepared.delete(importId);
  sessionStorage.removeItem(keyOf(importId));
}

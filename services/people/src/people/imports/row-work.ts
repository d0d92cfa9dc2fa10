import type { ImportedRow } from '@swim/contracts';
import type { RequestContext } from '@swim/platform';
import type { FamilyBook, KnownFamily } from './family-book.js';
import type { RowValues } from './row-values.rules.js';

/** What rows are processed with. */
export interface Job {
  importId: string;
  /** The number of the first row. */
  from: number;
  book: FamilyBook;
  values: RowValues;
  /** When the import was run; null for a dry run. */
  startedAt: Date | null;
  context: RequestContext;
}

/** A sound row, with its number and its family. */
export interface PlacedRow {
  n: number;
  row: ImportedRow;
  family: KnownFamily;
}

/** What is to be done for a row, with the id of its member. */
export interface RowWork extends PlacedRow {
  kind: 'create' | 'update';
  memberId: string;
  /** When the member was changed last; undefined for one that is made. */
  updatedAt: Date | undefined;
  /** Whether the connection does not name the member yet, or the row gives an id of the school to a member without one. */
  isAdopted: boolean;
}

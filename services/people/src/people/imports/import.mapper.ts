import { type DataImport, MOST_LISTED_ERRORS } from '@swim/contracts';
import type { ImportDocument } from './import.schema.js';

// A hundred errors about fields of a row have less than half of it.
const MOST_LISTED_BYTES = 20_000;

export const rowsOf = ({ batches }: Pick<ImportDocument, 'batches'>): number =>
  batches.reduce((sum, { rows }) => sum + rows, 0);

/** Maps an import to the API's JSON. */
export const toImport = (document: ImportDocument): DataImport => ({
  id: document._id,
  kind: document.kind,
  status: document.status,
  rows: rowsOf(document),
  ...document.counts,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** An import in a list: a page of a hundred is one reply. */
export function toListedImport(document: ImportDocument): DataImport {
  const { errors, ...rest } = toImport(document);
  return { ...rest, errors: firstOf(errors.slice(0, MOST_LISTED_ERRORS), MOST_LISTED_BYTES) };
}

/** The first errors, which together have at most so many bytes as JSON. */
export function firstOf(errors: DataImport['errors'], mostBytes: number): DataImport['errors'] {
  let bytes = 0;
  for (const [index, error] of errors.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(error)) + 1;
    if (bytes > mostBytes) return errors.slice(0, index);
  }
  return errors;
}

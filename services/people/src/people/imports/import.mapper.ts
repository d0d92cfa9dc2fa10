import type { DataImport } from '@swim/contracts';
import type { ImportDocument } from './import.schema.js';

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

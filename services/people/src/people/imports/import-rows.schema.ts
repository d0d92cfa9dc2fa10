import { Schema } from 'mongoose';
import type { ImportCounts } from './import.schema.js';
import type { RowTokens } from './row-values.rules.js';

/** Rows of an import that are processed together; their result is stored in one write, which removes them. */
export interface ImportRowsDocument {
  /** The request that added them, and their place within it. */
  _id: string;
  readers: string[];
  accountId: string;
  importId: string;
  createdAt: Date;
  /** Encrypted with the key of the import; null once they are processed. */
  rows: Buffer | null;
  result: (ImportCounts & RowTokens) | null;
}

/** Collection `import_rows`. */
export const importRowsSchema = new Schema<ImportRowsDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    accountId: { type: String, required: true },
    importId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    rows: Schema.Types.Mixed,
    result: Schema.Types.Mixed,
  },
  { versionKey: false, minimize: false },
);
// For the rows of an import.
importRowsSchema.index({ importId: 1 });
// For the reset and the erasure of an account.
importRowsSchema.index({ accountId: 1 });

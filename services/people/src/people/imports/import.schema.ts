import type { DataImport, EventCause } from '@swim/contracts';
import { type Aggregate, aggregateSchema, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

/** How the rows of an import came out, so far. */
export type ImportCounts = Pick<DataImport, 'created' | 'updated' | 'unchanged' | 'failed' | 'errors'>;

export const NO_COUNTS: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] };

/** An import. Its rows are apart, until they are processed (`import-rows.schema.ts`). */
export interface ImportDocument extends Aggregate {
  accountId: string;
  kind: DataImport['kind'];
  status: DataImport['status'];
  /** The requests that added its rows, in their order. */
  batches: { id: string; rows: number }[];
  counts: ImportCounts;
  /** When it was run, in real time; absent before. */
  startedAt?: Date;
  /** The request that ran it; absent before. */
  cause?: EventCause;
  /** Its school, while it works on rows: one import of a school does at a time. */
  turnOf?: string | null;
  /** The next step of the work; null when nothing is left to do. */
  step: string | null;
  /** When a replica goes on with it; null when nothing is left to do. */
  dueAt: Date | null;
}

/** Collection `imports`. */
export const importSchema = aggregateSchema<ImportDocument>({
  accountId: { type: String, required: true },
  kind: { type: String, required: true },
  status: { type: String, required: true },
  batches: [{ _id: false, id: String, rows: Number }],
  counts: { type: Schema.Types.Mixed, required: true },
  startedAt: Date,
  cause: Schema.Types.Mixed,
  turnOf: String,
  step: { type: String, default: null },
  dueAt: { type: Date, default: null },
});
// For `GET /imports`; the reset and the erasure of an account.
importSchema.index({ readers: 1, _id: -1 });
// At most one import of a school works on rows.
importSchema.index({ turnOf: 1 }, { unique: true, partialFilterExpression: { turnOf: { $type: 'string' } } });
// For the work on imports, each second.
indexDue(importSchema, 'dueAt');

import type { ErrorBody, Reason } from '@swim/contracts';
import { AppError, isServerFault } from '@swim/platform';
import { type ImportCounts, NO_COUNTS } from './import.schema.js';

type RowErrors = { field: string; reason: string }[];

/** Faults of a row, or of another request that came before it. The rest is retried. */
const OF_ROWS: ReadonlySet<Reason> = new Set(['already_exists']);

/** The errors of a row, by its fields. */
export const rowErrorsOf = ({ details }: ErrorBody): RowErrors =>
  (details.errors ?? [{ field: details.field ?? '', reason: details.reason }]).map(({ field, reason }) => ({
    field,
    reason,
  }));

/** How rows come out. */
export class Outcomes {
  private readonly counted: ImportCounts = structuredClone(NO_COUNTS);

  /** The sums, with the errors by row. */
  get counts(): ImportCounts {
    return { ...this.counted, errors: this.counted.errors.toSorted((a, b) => a.row - b.row) };
  }

  count(outcome: 'created' | 'updated' | 'unchanged'): null {
    this.counted[outcome] += 1;
    return null;
  }

  fail(row: number, errors: RowErrors): null {
    this.counted.failed += 1;
    this.counted.errors.push(...errors.map((error) => ({ row, ...error })));
    return null;
  }

  /** Fails a row by an error of its own; throws any other one. */
  failBy(row: number, error: unknown): null {
    if (isServerFault(error) || !(error instanceof AppError)) throw error;
    if (error.code !== 'VALIDATION_ERROR' && !OF_ROWS.has(error.reason)) throw error;
    return this.fail(row, rowErrorsOf(error.toBody()));
  }
}

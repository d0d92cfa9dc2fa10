import type { ErrorBody, Reason } from '@swim/contracts';
import { AppError, isServerFault } from '@swim/platform';
import { type ImportCounts, NO_COUNTS } from './import.schema.js';

type RowErrors = { field: string; reason: string }[];

/** Conflicts that pass by themselves: like faults of the service, they have the part repeated. */
const PASSING: ReadonlySet<Reason> = new Set(['change_in_progress', 'idempotency_in_progress']);

/** The errors of a row, by its fields. */
export const rowErrorsOf = ({ details }: ErrorBody, otherwise = ''): RowErrors =>
  (details.errors ?? [{ field: details.field ?? otherwise, reason: details.reason }]).map(({ field, reason }) => ({
    field,
    reason,
  }));

/** Counts what became of rows, and collects the errors of those that failed. */
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

  /** Fails a row by an error that a repetition would meet again; throws any other one. `field`: where the error names none. */
  failBy(row: number, error: unknown, field?: string): null {
    if (!(error instanceof AppError) || isServerFault(error) || PASSING.has(error.reason)) throw error;
    return this.fail(row, rowErrorsOf(error.toBody(), field));
  }
}

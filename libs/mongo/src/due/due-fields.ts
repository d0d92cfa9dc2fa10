import type { IndexOptions, Schema } from 'mongoose';

/**
 * Declares the index of a field that has a date only while something is due. Documents without a date are not in the index, so
 * that their updates do not write it. `expireAfterSeconds` removes documents so long after the date.
 */
export function indexDue<D>(
  schema: Schema<D>,
  field: keyof D & string,
  options: Pick<IndexOptions, 'expireAfterSeconds'> = {},
): void {
  schema.index({ [field]: 1 }, { ...options, partialFilterExpression: { [field]: { $type: 'date' } } });
}

/**
 * The condition that the date of such a field is this instant or earlier. It names the type: MongoDB and the offline engine use
 * a partial index only for a query that states the index's own condition, and read the whole collection for any other.
 */
export const dueBy = (instant: Date): { $type: 'date'; $lte: Date } => ({ $type: 'date', $lte: instant });

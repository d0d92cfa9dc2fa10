import type { Model, Query } from 'mongoose';
import { castFilterOf } from '../guard/tenant-guard.js';

/** A conditional update of one document, cast by its schema and checked by the tenant guard. */
export interface UpdateStatement {
  readonly filter: Readonly<Record<string, unknown>>;
  /** An update document or a pipeline. */
  readonly update: object;
  /** The expression by which the pipeline itself decides whether to change anything; absent: the filter alone decides. */
  readonly condition?: object | undefined;
}

// What mongoose does with an update before it executes it. It has no public method that casts one.
interface Castable {
  _castUpdate(update: unknown): object | undefined;
}

/** A statement as mongoose would execute it. Throws for a filter without a tenant or a field that is not in the schema. */
export function castStatement<D>(
  model: Model<D>,
  { filter, update, condition }: UpdateStatement,
  options: object,
): UpdateStatement {
  const pipeline = Array.isArray(update) ? { updatePipeline: true } : {};
  const query = model.updateOne(filter as object, update, { ...options, ...pipeline });
  const cast = castFilterOf(query as unknown as Query<unknown, unknown>);
  return { filter: cast, update: (query as unknown as Castable)._castUpdate(query.getUpdate()) ?? {}, condition };
}

/** The id of the only document that a statement can match; null when it may match any. */
export const idOf = ({ filter }: UpdateStatement): string | null =>
  typeof filter._id === 'string' ? filter._id : null;

/** Whether a statement changes nothing, since the schema has none of its fields. */
export const isEmpty = ({ update }: UpdateStatement): boolean => Object.keys(update).length === 0;

import type { Model, Query, SortOrder } from 'mongoose';
import { engine } from '../engine/engine.js';
import { castFilterOf } from '../guard/tenant-guard.js';

type Projection = Readonly<Record<string, 0 | 1 | { readonly $slice: number }>>;

/** What is read of the documents that match a filter. */
export interface ReadOptions {
  /** Fields to return (1), to omit (0), or of which to return the first elements; by default all. */
  readonly projection?: Projection;
  readonly sort?: Readonly<Record<string, SortOrder>>;
  readonly skip?: number;
  readonly limit?: number;
  /** By default the database sends 101 documents first, and the rest on request. */
  readonly batchSize?: number;
}

/**
 * The documents that match a filter, as stored. mongoose casts the filter and the driver executes it, with half of the processor time
 * of a query of mongoose.
 * @param guard - names the system's reason where the filter names no reader.
 */
export async function readDocuments<D>(
  model: Model<D>,
  filter: object,
  { projection = {}, ...options }: ReadOptions,
  guard: object,
): Promise<D[]> {
  const cast = castFilterOf(model.find(filter as never, null, guard) as unknown as Query<unknown, unknown>);
  const found = model.collection.find(cast, { ...options, projection: withoutHidden(projection) } as object);
  return (await found.toArray()) as D[];
}

/** How many documents match a filter. See `readDocuments`. */
export async function countDocuments<D>(model: Model<D>, filter: object, guard: object): Promise<number> {
  const cast = castFilterOf(model.find(filter as never, null, guard) as unknown as Query<unknown, unknown>);
  return model.collection.countDocuments(cast);
}

const HIDDEN = Object.fromEntries(engine.hiddenFields.map((field) => [field, 0 as const]));

const withoutHidden = (projection: Projection): Projection =>
  Object.values(projection).includes(1) ? projection : { ...projection, ...HIDDEN };

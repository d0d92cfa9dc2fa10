import type { Model } from 'mongoose';
import { InsertBatches } from './insert-batches.js';
import { UpdateBatches } from './update-batches.js';

/** The batches of one collection's writes. */
interface WriteBatches<D extends { _id: string }> {
  readonly inserts: InsertBatches<D>;
  readonly updates: UpdateBatches<D>;
}

const batches = new WeakMap<object, WriteBatches<{ _id: string }>>();

/** The batches of a collection's writes, which several repositories may share. */
export function batchesOf<D extends { _id: string }>(model: Model<D>): WriteBatches<D> {
  const known = batches.get(model);
  if (known) return known as unknown as WriteBatches<D>;
  const fresh = { inserts: new InsertBatches(model), updates: new UpdateBatches(model) };
  batches.set(model, fresh as never);
  return fresh;
}

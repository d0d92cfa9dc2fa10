import type { ListFilters } from '@swim/contracts';
import mongoose from 'mongoose';
import { storedMetadata } from './metadata.js';

/** Condition on a field: one of these values; none where no values are given. */
export const oneOf = (field: string, values: readonly string[] | undefined): Record<string, unknown> =>
  values === undefined ? {} : { [field]: values.length === 1 ? values[0] : mongoose.trusted({ $in: [...values] }) };

/** Condition on a date: from an instant (inclusive) to another (exclusive), each ISO 8601; none where neither is given. */
export function between(field: string, from: string | undefined, to: string | undefined): Record<string, unknown> {
  if (from === undefined && to === undefined) return {};
  const bounds = {
    ...(from === undefined ? {} : { $gte: new Date(from) }),
    ...(to === undefined ? {} : { $lt: new Date(to) }),
  };
  return { [field]: mongoose.trusted(bounds) };
}

/** As `between`, of the instant of the latest change: documents without one count as changed when they were made. */
function changedBetween(from: string | undefined, to: string | undefined): Record<string, unknown> {
  if (from === undefined && to === undefined) return {};
  return { $or: [between('updatedAt', from, to), { updatedAt: null, ...between('createdAt', from, to) }] };
}

/** The condition of the filters that lists have in common; `mayLackUpdatedAt`: documents may have no `updatedAt`. */
export function commonFilter(
  { ids, updated_from, updated_to, metadata }: ListFilters,
  mayLackUpdatedAt = false,
): Record<string, unknown> {
  const pairs = storedMetadata(metadata ?? {}).map((pair) => ({ $elemMatch: pair }));
  return {
    ...oneOf('_id', ids),
    ...(mayLackUpdatedAt ? changedBetween(updated_from, updated_to) : between('updatedAt', updated_from, updated_to)),
    ...(pairs.length === 0 ? {} : { metadata: mongoose.trusted({ $all: pairs }) }),
  };
}

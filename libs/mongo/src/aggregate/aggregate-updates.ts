import type { RequestContext } from '@swim/platform';
import { doneOp, pushingOps } from './aggregate.js';

/** The update that sets these fields. One that is undefined is removed: mongoose would ignore it, and the stored document differ. */
export function setOrUnset(fields: object): object {
  const isGone = ([, value]: [string, unknown]) => value === undefined;
  const gone = Object.entries(fields).filter(isGone);
  if (gone.length === 0) return { $set: fields };
  const rest = Object.entries(fields).filter((field) => !isGone(field));
  return { $set: Object.fromEntries(rest), $unset: Object.fromEntries(gone.map(([key]) => [key, 1])) };
}

/** The update that appends to arrays; without the operator when nothing is appended. */
export function pushing(arrays: Record<string, { $each: readonly unknown[]; $slice?: number }>): { $push?: object } {
  const some = Object.entries(arrays).filter(([, { $each }]) => $each.length > 0);
  return some.length === 0 ? {} : { $push: Object.fromEntries(some) };
}

/** The fields that an update changes, by operator. */
interface FieldUpdate {
  $set?: object;
  $unset?: object;
  $inc?: object;
}

/**
 * An update that takes effect once for the work of a request, whose answer is stored with it: a later run finds that (`answerIn`), and
 * a late one finds no document. For documents that are no aggregates; their schema has `opsField`.
 */
export function onceFor(
  context: RequestContext,
  { filter, update }: { filter: object; update: FieldUpdate },
  answer: unknown = null,
): { filter: Record<string, unknown>; update: object } {
  const ops = doneOp(context, answer);
  if (ops.length === 0) return { filter: { ...filter }, update };
  const isFirst = { ops: { $not: { $elemMatch: { id: context.opId, seed: context.opSeed } } } };
  return { filter: { ...filter, ...isFirst }, update: { ...update, $push: pushingOps(ops) } };
}

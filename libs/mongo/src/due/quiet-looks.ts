import type { Model } from 'mongoose';

const QUIET_MS = 6_000;

/** A look that found no work. */
interface Quiet {
  /** The writes of this process to the collection before the look. */
  writes: number;
  /** The look counts until then, by `performance.now()`. */
  untilMs: number;
  /** Until then nothing becomes due. */
  through: Date;
}

interface Collection {
  /** How many writes of this process have ended. */
  writes: number;
  readonly quiet: Map<string, Quiet>;
}

const collections = new WeakMap<object, Collection>();

/** Incremented by `lookAgain`. */
let forgotten = 0;

function collectionOf<D>(model: Model<D>): Collection {
  const known = collections.get(model) ?? { writes: 0, quiet: new Map() };
  collections.set(model, known);
  return known;
}

/**
 * Finds work in a collection. Sweeps look for it each second, and nearly always find none: a process that has found none looks again
 * after six seconds, or once it has itself written to the collection. What another replica stores, and does not do because it is
 * killed, is found up to six seconds later.
 * @param work - the kind of work, of which a collection may have several.
 * @param find - work that is due by the end of these six seconds, so that it is found in time; where it finds less, that is found later.
 */
export async function findUnlessQuiet<D, T>(
  model: Model<D>,
  work: string,
  by: Date,
  find: (soon: Date) => Promise<T[]>,
): Promise<T[]> {
  const collection = collectionOf(model);
  // A write that ends later may be missed by the look.
  const [writes, nowMs] = [collection.writes + forgotten, performance.now()];
  const quiet = collection.quiet.get(work);
  if (quiet && quiet.writes === writes && nowMs < quiet.untilMs && by <= quiet.through) return [];
  const through = new Date(by.getTime() + QUIET_MS);
  const found = await find(through);
  if (found.length === 0) collection.quiet.set(work, { writes, untilMs: nowMs + QUIET_MS, through });
  return found;
}

/** Notes that a write of this process to a collection has ended, in whatever way: there may be work in it. */
export function noteWrite<D>(model: Model<D>): void {
  collectionOf(model).writes++;
}

/** Forgets that there is no work: tests write to the database as another process would. */
export function lookAgain(): void {
  forgotten++;
}

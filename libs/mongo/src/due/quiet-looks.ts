import type { Model } from 'mongoose';

// Nearly three intervals of the sweeps that run each second: the third run looks again.
const QUIET_MS = 2_900;

/** Incremented by `lookAgain`. */
let generation = 0;

/**
 * What a process knows of one kind of work in a collection. Sweeps look for it each second and nearly always find none: one that has
 * found none looks again after three seconds, or as soon as this process has written to the collection: a write that is not made by
 * `Repository` calls `noteWrite`. Work that another replica stores, and does not do as it is killed, is so found up to three seconds
 * later.
 */
class QuietLook {
  private quietUntilMs = Number.NEGATIVE_INFINITY;
  private busyUntilMs = Number.NEGATIVE_INFINITY;
  private through = Number.POSITIVE_INFINITY;
  private writes = 0;
  private generation = -1;

  constructor(private readonly collection: { writes: number }) {}

  /** Whether there is no work as far as this process knows; of work with a date, up to this instant. */
  isQuiet(by?: Date): boolean {
    const isCovered = by === undefined || by.getTime() <= this.through;
    return isCovered && !this.hasChanged() && performance.now() < this.quietUntilMs;
  }

  /** Whether the next look may well find work: looking further ahead is of no use. */
  isBusy(): boolean {
    return this.hasChanged() || performance.now() < this.busyUntilMs;
  }

  /**
   * Notes what a look finds that begins now.
   * @param through - up to which instant it looks for work with a date.
   */
  async note(look: () => Promise<boolean>, through?: Date): Promise<boolean> {
    // A write that ends later may be missed by the look.
    const [writes, from, untilMs] = [this.collection.writes, generation, performance.now() + QUIET_MS];
    const hasFound = await look();
    [this.writes, this.generation] = [writes, from];
    [this.quietUntilMs, this.busyUntilMs] = hasFound ? [0, untilMs] : [untilMs, 0];
    this.through = through?.getTime() ?? Number.POSITIVE_INFINITY;
    return hasFound;
  }

  /** Notes that the writes so far are known to a look that does not go ahead. */
  noteWrites(): void {
    [this.writes, this.generation] = [this.collection.writes, generation];
    this.quietUntilMs = 0;
  }

  private hasChanged(): boolean {
    return this.writes !== this.collection.writes || this.generation !== generation;
  }
}

interface Collection {
  writes: number;
  readonly looks: Map<string, QuietLook>;
}

const collections = new WeakMap<object, Collection>();

function collectionOf<D>(model: Model<D>): Collection {
  const known = collections.get(model) ?? { writes: 0, looks: new Map() };
  collections.set(model, known);
  return known;
}

/** What this process knows of one kind of work in a collection. */
export function quietLookFor<D>(model: Model<D>, work: string): QuietLook {
  const collection = collectionOf(model);
  const known = collection.looks.get(work) ?? new QuietLook(collection);
  collection.looks.set(work, known);
  return known;
}

/** Notes that this process has written to a collection, once the write has ended: there may be work in it. */
export function noteWrite<D>(model: Model<D>): void {
  collectionOf(model).writes++;
}

/** Forgets what this process knows: tests change documents as another process would. */
export function lookAgain(): void {
  generation++;
}

/** Finds work that has no date, unless this process knows that there is none. */
export async function findUnlessQuiet<D, T>(model: Model<D>, work: string, find: () => Promise<T[]>): Promise<T[]> {
  const look = quietLookFor(model, work);
  if (look.isQuiet()) return [];
  let found: T[] = [];
  await look.note(async () => {
    found = await find();
    return found.length > 0;
  });
  return found;
}

import { randomInt } from 'node:crypto';

const MOST_WRITES = 40;
const STEP = 8;

/** The writes of a piece of work at which a service crashes or is stopped, each in a case of its own. */
export interface CrashPoints {
  /**
   * Runs `scenario` for each of these writes in their order, until one outlives it, which means that there were fewer
   * writes; then for the last write, if that has not run.
   * @param writesOutlived - how many writes the case had that was outlived.
   * @returns how many writes the work has.
   */
  each(scenario: (n: number) => Promise<boolean>, writesOutlived: () => number): Promise<number>;
}

/** Every write under `npm run chaos`, which sets CHAOS; a sample otherwise, which CRASH_SAMPLE repeats. */
export function crashPoints(): CrashPoints {
  if (process.env.CHAOS) return everyWrite;
  return sampleOfWrites(Number(process.env.CRASH_SAMPLE ?? randomInt(2, 2 + STEP)));
}

/** Every write. */
export const everyWrite: CrashPoints = {
  async each(scenario) {
    for (let n = 1; n <= MOST_WRITES; n++) if (!(await scenario(n))) return n - 1;
    throw neverEnds();
  },
};

/** The first write, the last, and every eighth from `start` on. */
export const sampleOfWrites = (start: number): CrashPoints => ({
  async each(scenario, writesOutlived) {
    const run = (n: number) => scenario(n).catch((error: unknown) => throwAt(n, start, error));
    let last = 1;
    for (let n = 1; n <= MOST_WRITES; n = n < start ? start : n + STEP) {
      if (!(await run(n))) {
        const writes = writesOutlived();
        if (writes > last) await run(writes);
        return writes;
      }
      last = n;
    }
    throw neverEnds();
  },
});

const neverEnds = () => new Error(`It still writes after ${MOST_WRITES} writes.`);

function throwAt(n: number, start: number, cause: unknown): never {
  throw new Error(`The case of write ${n} fails; CRASH_SAMPLE=${start} repeats this sample.`, { cause });
}

import { randomInt } from 'node:crypto';

/** No work of a service comes near: the longest of today has 90 writes. */
const MOST_WRITES = 200;
const STEP = 16;

/** The writes of a piece of work at which a service crashes or stops, each in a run of its own. */
export interface CrashPoints {
  /**
   * Runs `scenario` for these writes in order, until it returns true, which means that the work had fewer writes; then
   * for the last write, unless that has run.
   * @param writesOutlived - returns the number of writes of the run that returned true.
   * @returns the number of writes of the work.
   */
  each(scenario: (n: number) => Promise<boolean>, writesOutlived: () => number): Promise<number>;
}

/** Returns every write under `npm run chaos`, which sets CHAOS; otherwise a sample, which CRASH_SAMPLE repeats. */
export function crashPoints(): CrashPoints {
  if (process.env.CHAOS) return everyWrite;
  return sampleOfWrites(Number(process.env.CRASH_SAMPLE ?? randomInt(2, 2 + STEP)));
}

export const everyWrite: CrashPoints = {
  async each(scenario) {
    for (let n = 1; n <= MOST_WRITES; n++) if (!(await scenario(n))) return n - 1;
    throw neverEnds();
  },
};

/** Returns the first write, the last, and every sixteenth from `start` on. */
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`The case of write ${n} fails; CRASH_SAMPLE=${start} repeats this sample. ${reason}`, { cause });
}

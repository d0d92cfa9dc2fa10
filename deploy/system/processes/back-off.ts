const FIRST_MS = 100;
const LONGEST_MS = 5000;
const HEALTHY_AFTER_MS = 30_000;

/**
 * Counts exits and returns the delay after each: 100 ms, doubling to 5 s, reset after 30 s alive.
 * @returns `deaths` counts those in a row.
 */
export function createBackOff(): { died: (aliveMs: number) => { waitMs: number; deaths: number } } {
  let deaths = 0;
  return {
    died(aliveMs) {
      deaths = aliveMs >= HEALTHY_AFTER_MS ? 1 : deaths + 1;
      return { waitMs: Math.min(FIRST_MS * 2 ** (deaths - 1), LONGEST_MS), deaths };
    },
  };
}

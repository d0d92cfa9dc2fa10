const FIRST_MS = 100;
const LONGEST_MS = 5000;
const HEALTHY_AFTER_MS = 30_000;

/**
 * Counts deaths and says how long to wait after each: 100 ms, doubling to 5 s, from the start again after 30 s alive.
 * @returns {{died: (aliveMs: number) => {waitMs: number, deaths: number}}} `deaths` counts those in a row.
 */
export function createBackOff() {
  let deaths = 0;
  return {
    died(aliveMs) {
      deaths = aliveMs >= HEALTHY_AFTER_MS ? 1 : deaths + 1;
      return { waitMs: Math.min(FIRST_MS * 2 ** (deaths - 1), LONGEST_MS), deaths };
    },
  };
}

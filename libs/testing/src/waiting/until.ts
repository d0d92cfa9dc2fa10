import { runBackgroundWorkEarly } from './background-work.js';

// A whole run of the tests keeps the machine busy; `npm test` with single files sets less.
const MOST_MS = Number(process.env.TEST_WAIT_MS ?? 180_000);
// Frequent at first; a longer wait does not justify the cost of polling.
const [FIRST_PAUSE_MS, MOST_PAUSE_MS, GROWTH] = [10, 100, 1.2];

/**
 * Waits until `condition` holds and returns its result; fails with `what` after the time-out. Background work of services in
 * this process runs early meanwhile.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string,
  timeoutMs = MOST_MS,
): Promise<NonNullable<T>> {
  const endsAtMs = performance.now() + timeoutMs;
  const stopEarlyRuns = runBackgroundWorkEarly();
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, MOST_PAUSE_MS)) {
      const value = await condition();
      if (value) return value as NonNullable<T>;
      if (performance.now() > endsAtMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    stopEarlyRuns();
  }
}

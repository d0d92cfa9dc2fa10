import { DelayedRun, Sweep } from '@swim/platform';

// Sweeps with an interval of a second process due items. Slower ones clean up, and belong to no saga.
const DUE_SWEEP_MS = 1_000;
const HASTENED_DELAY_MS = 50;

/** Interval of a hastened sweep in milliseconds. */
export const HASTENED_MS = 150;

/** Shortens the intervals of sweeps and the delays of batched work of services that start in this process from now on. */
export function hasten(): void {
  hastenSweeps();
  hastenDelayedRuns();
}

function hastenSweeps(): void {
  const { start } = Sweep.prototype;
  Sweep.prototype.start = function hastened(this: Sweep) {
    const { intervalMs } = this as unknown as { intervalMs: number };
    if (intervalMs === DUE_SWEEP_MS) Object.assign(this, { intervalMs: HASTENED_MS });
    start.call(this);
  };
}

function hastenDelayedRuns(): void {
  const { request } = DelayedRun.prototype;
  DelayedRun.prototype.request = function hastened(this: DelayedRun) {
    const { delayMs } = this as unknown as { delayMs: number };
    Object.assign(this, { delayMs: Math.min(delayMs, HASTENED_DELAY_MS) });
    request.call(this);
  };
}

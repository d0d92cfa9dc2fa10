import { Sweep } from '@swim/platform';

// Sweeps with an interval of a second process due items. Slower ones clean up, and belong to no saga.
const DUE_SWEEP_MS = 1_000;
// Delay of the batched marks of published events and fulfilled claims.
const [MARK_MS, HASTENED_MARK_MS] = [500, 50];

/** Interval of a hastened sweep in milliseconds. */
export const HASTENED_MS = 150;

/** Shortens the intervals of sweeps and marks of services that start in this process from now on. */
export function hasten(): void {
  hastenSweeps();
  hastenMarks();
}

function hastenSweeps(): void {
  const { start } = Sweep.prototype;
  Sweep.prototype.start = function hastened(this: Sweep) {
    const { intervalMs } = this as unknown as { intervalMs: number };
    if (intervalMs === DUE_SWEEP_MS) Object.assign(this, { intervalMs: HASTENED_MS });
    start.call(this);
  };
}

function hastenMarks(): void {
  const start: (work: () => void, delayMs?: number, ...values: unknown[]) => NodeJS.Timeout = globalThis.setTimeout;
  const hastened: typeof start = (work, delayMs, ...values) =>
    start(work, delayMs === MARK_MS ? HASTENED_MARK_MS : delayMs, ...values);
  globalThis.setTimeout = Object.assign(hastened, start) as typeof setTimeout;
}

import { Sweep } from '@swim/platform';

// Sweeps that come each second look after what is due. Those that come less often keep house, and are no part of any saga.
const DUE_SWEEP_MS = 1_000;
// What was published or made is marked as such this long afterwards, for many at once.
const [MARK_MS, HASTENED_MARK_MS] = [500, 50];

/** Milliseconds between two looks of a hastened sweep. */
export const HASTENED_MS = 150;

/** Has services that start in this process from now on look sooner for what is due, and mark sooner what is done. */
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

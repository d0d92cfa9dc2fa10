import { lookAgain, Sweep } from '@swim/mongo';
import { DelayedRun } from '@swim/platform';

// Sweeps with an interval of up to three seconds process due items. Slower ones measure and clean up, and no test waits for them.
const DUE_SWEEP_MS = 3_000;
const [FIRST_PAUSE_MS, MOST_PAUSE_MS, GROWTH] = [40, 600, 1.5];

const sweeps = new Set<Sweep>();
const delayedRuns = new Set<DelayedRun>();
let isRecorded = false;

/** Records the sweeps and delayed runs that services start in this process from now on. */
export function recordBackgroundWork(): void {
  if (isRecorded) return;
  isRecorded = true;
  const { start } = Sweep.prototype;
  Sweep.prototype.start = function recorded(this: Sweep) {
    if ((this as unknown as { intervalMs: number }).intervalMs <= DUE_SWEEP_MS) sweeps.add(this);
    start.call(this);
  };
  const { request } = DelayedRun.prototype;
  DelayedRun.prototype.request = function recorded(this: DelayedRun) {
    delayedRuns.add(this);
    request.call(this);
  };
}

/**
 * Runs recorded work early until the returned function is called: waiting for its interval would be most of the time of the
 * tests. The pauses between runs grow, since work that was postponed does not end sooner.
 */
export function runBackgroundWorkEarly(): () => void {
  let pauseMs = FIRST_PAUSE_MS;
  const run = () => {
    runRecorded();
    pauseMs = Math.min(pauseMs * GROWTH, MOST_PAUSE_MS);
    timer = setTimeout(run, pauseMs);
  };
  let timer = setTimeout(run, pauseMs);
  return () => clearTimeout(timer);
}

function runRecorded(): void {
  lookAgain();
  for (const sweep of sweeps) sweep.runEarly();
  for (const delayedRun of delayedRuns) void delayedRun.flush();
  sweeps.clear();
  delayedRuns.clear();
}

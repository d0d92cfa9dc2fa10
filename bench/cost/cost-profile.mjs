import path from 'node:path';
import { PROCESSES, restartStack } from '../booking/stack.mjs';
import { load } from '../measuring/load.mjs';
import { describeProfile, profilingArguments } from '../measuring/profile.mjs';
import { warmUp } from '../measuring/rounds.mjs';
import { keyedBookingRequest } from './requests.mjs';
import { startOurs } from './sides.mjs';

const PAIRS = 64;
const WARM_UP_REQUESTS = 400;
const SECONDS = 15;
const SHOWN = 30;

/**
 * Shows where the processes of the product spend their time while 64 clients book. The figures are higher than without a
 * profiler; compare their shares.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} for each process the functions that take most time, by themselves and with what they call.
 */
export async function costProfile(run) {
  const stack = await run.stack();
  const ours = await startOurs(run, stack, PAIRS);
  const folderOf = (name) => path.join(run.folder, 'profiles', name);
  await restartStack(run, stack, (name) => profilingArguments(folderOf(name)));
  const subject = { ...ours, pids: () => [], request: keyedBookingRequest(ours) };
  await warmUp(subject, WARM_UP_REQUESTS);
  const startedAtMs = performance.now();
  const { requests } = await load(subject, SECONDS);
  const lastMs = performance.now() - startedAtMs;
  await run.supervisor.stop(PROCESSES);
  const describe = (name) =>
    describeProfile({ folder: folderOf(name), lastMs, requests, shown: SHOWN, withTotal: true });
  return PROCESSES.map((name) => `${name}, time for each of ${requests} bookings\n${describe(name)}`).join('\n\n');
}

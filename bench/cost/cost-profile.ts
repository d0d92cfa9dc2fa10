import path from 'node:path';
import type { Run } from '../booking/stack.ts';
import { PROCESSES, restartStack } from '../booking/stack.ts';
import { load } from '../measuring/load.ts';
import { describeProfile, profilingArguments } from '../measuring/profile.ts';
import { warmUp } from '../measuring/rounds.ts';
import { keyedBookingRequest } from './requests.ts';
import { startOurs } from './sides.ts';

const PAIRS = 64;
const WARM_UP_REQUESTS = 400;
const SECONDS = 15;
const SHOWN = 30;

/**
 * Shows where the processes of the product spend their time while 64 clients book. The figures are higher than without a
 * profiler; compare their shares.
 * @returns for each process the functions that take most time, by themselves and with what they call.
 */
export async function costProfile(run: Run): Promise<string> {
  const stack = await run.stack();
  const ours = await startOurs(run, stack, PAIRS);
  const folderOf = (name: string) => path.join(run.folder, 'profiles', name);
  await restartStack(run, stack, (name) => profilingArguments(folderOf(name)));
  const subject = { ...ours, pids: () => [], request: keyedBookingRequest(ours) };
  await warmUp(subject, WARM_UP_REQUESTS);
  const startedAtMs = performance.now();
  const { requests } = await load(subject, SECONDS);
  const lastMs = performance.now() - startedAtMs;
  await run.supervisor.stop(PROCESSES);
  const describe = (name: string) =>
    describeProfile({ folder: folderOf(name), lastMs, requests, shown: SHOWN, withTotal: true });
  return PROCESSES.map((name) => `${name}, time for each of ${requests} bookings\n${describe(name)}`).join('\n\n');
}

import path from 'node:path';
import type { Run } from '../booking/stack.ts';
import { load, type Subject } from '../measuring/load.ts';
import { describeProfile, profilingArguments } from '../measuring/profile.ts';
import { warmUp } from '../measuring/rounds.ts';
import { Sides } from './sides.ts';

const WARM_UP_REQUESTS = 20_000;
const SECONDS = 10;

/**
 * Shows where the sides of the hop spend their time. The figures are higher than without a profiler; compare their shares.
 * @returns for each side the functions that take most time, for a person.
 */
export async function hopProfile(run: Run): Promise<string> {
  const sides = new Sides(run);
  await sides.startResponder();
  const profiles = [
    await profile(run, 'floor', (args: string[]) => sides.startFloor(args)),
    await profile(run, 'routing', (args: string[]) => sides.startRouting(args)),
    await profile(run, 'gateway', (args: string[]) => sides.startGateway(args)),
  ];
  await sides.stop();
  return profiles.join('\n\n');
}

async function profile({ supervisor, folder }: Run, name: string, start: (args: string[]) => Promise<Subject>) {
  const profiles = path.join(folder, 'profiles', name);
  const subject = await start(profilingArguments(profiles));
  await warmUp(subject, WARM_UP_REQUESTS);
  const startedAtMs = performance.now();
  const { requests } = await load(subject, SECONDS);
  const lastMs = performance.now() - startedAtMs;
  await supervisor.stop([subject.name]);
  return `${subject.name}, time for each of ${requests} requests\n${describeProfile({ folder: profiles, lastMs, requests })}`;
}

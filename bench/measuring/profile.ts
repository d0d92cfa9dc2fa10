import fs from 'node:fs';
import path from 'node:path';

const SHOWN = 15;
const NOT_WORK = new Set(['(idle)', '(root)', '(program)']);

/**
 * @param folder - where the profile goes when the process ends.
 * @returns arguments of node for a CPU profile.
 */
export const profilingArguments = (folder: string): string[] => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

export interface DescribeProfileOptions {
  folder: string;
  /** How much of its end counts: before that the process started and warmed up. */
  lastMs: number;
  /** Answered in that time. */
  requests: number;
  /** How many functions. */
  shown?: number | undefined;
  /** Whether to list by total time as well: of the functions with what they call. */
  withTotal?: boolean | undefined;
}

/**
 * Reads the one profile in a folder.
 * @returns the functions that took most time themselves, in µs for each request, for a person.
 */
export function describeProfile({
  folder,
  lastMs,
  requests,
  shown = SHOWN,
  withTotal = false,
}: DescribeProfileOptions): string {
  const [file] = fs.readdirSync(folder);
  const profile: Profile = JSON.parse(fs.readFileSync(path.join(folder, file!), 'utf8'));
  const { self, total } = timesOf(profile, profile.endTime - lastMs * 1000);
  const all = [...self.values()].reduce((sum, each) => sum + each, 0);
  const line = (name: string, time: number) =>
    `  ${(time / requests).toFixed(2).padStart(7)} µs ${((time * 100) / all).toFixed(1).padStart(5)} %  ${name}`;
  const top = (times: Map<string, number>) => [...times].sort(([, a], [, b]) => b - a).slice(0, shown);
  return [
    line('all of JavaScript and what it calls', all),
    ...top(self).map(([name, time]) => line(name, time)),
    ...(withTotal ? ['  with what they call:', ...top(total).map(([name, time]) => line(name, time))] : []),
  ].join('\n');
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

/** A CPU profile of V8; times are in µs. */
interface Profile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
  startTime: number;
  endTime: number;
}

/** Times by function, in µs. A recursive function counts once in its total time. */
function timesOf({ nodes, samples, timeDeltas, startTime }: Profile, fromMicroseconds: number) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)] as const));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const [self, total] = [new Map<string, number>(), new Map<string, number>()];
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    now += time;
    const own = names.get(id) ?? '';
    if (now < fromMicroseconds || NOT_WORK.has(own)) continue;
    add(self, own, time);
    const callers = new Set<string>();
    for (let each: number | undefined = id; each !== undefined; each = parents.get(each))
      callers.add(names.get(each) ?? '');
    for (const name of callers) if (!NOT_WORK.has(name)) add(total, name, time);
  }
  return { self, total };
}

const add = (times: Map<string, number>, name: string, time: number) => times.set(name, (times.get(name) ?? 0) + time);

function nameOf({ functionName, url, lineNumber }: CallFrame) {
  if (!url) return functionName || '(anonymous)';
  const place = url
    .split('/node_modules/')
    .at(-1)!
    .replace(/^file:\/\/.*?(?=gateway\/|libs\/|services\/|bench\/)/, '');
  return `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
}

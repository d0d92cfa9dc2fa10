import fs from 'node:fs';
import path from 'node:path';

const SHOWN = 15;
const NOT_WORK = new Set(['(idle)', '(root)', '(program)']);

/**
 * @param {string} folder where the profile goes when the process ends.
 * @returns {string[]} arguments of node for a CPU profile.
 */
export const profilingArguments = (folder) => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/**
 * Reads the one profile in a folder.
 * @param {object} options
 * @param {string} options.folder
 * @param {number} options.lastMs how much of its end counts: before that the process started and warmed up.
 * @param {number} options.requests answered in that time.
 * @param {number} [options.shown] how many functions.
 * @param {boolean} [options.withTotal] whether to list by total time as well: of the functions with what they call.
 * @returns {string} the functions that took most time themselves, in µs for each request, for a person.
 */
export function describeProfile({ folder, lastMs, requests, shown = SHOWN, withTotal = false }) {
  const [file] = fs.readdirSync(folder);
  const profile = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  const { self, total } = timesOf(profile, profile.endTime - lastMs * 1000);
  const all = [...self.values()].reduce((sum, each) => sum + each, 0);
  const line = (name, time) =>
    `  ${(time / requests).toFixed(2).padStart(7)} µs ${((time * 100) / all).toFixed(1).padStart(5)} %  ${name}`;
  const top = (times) => [...times].sort(([, a], [, b]) => b - a).slice(0, shown);
  return [
    line('all of JavaScript and what it calls', all),
    ...top(self).map(([name, time]) => line(name, time)),
    ...(withTotal ? ['  with what they call:', ...top(total).map(([name, time]) => line(name, time))] : []),
  ].join('\n');
}

/** Times by function, in µs. A recursive function counts once in its total time. */
function timesOf({ nodes, samples, timeDeltas, startTime }, fromMicroseconds) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const [self, total] = [new Map(), new Map()];
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index];
    if (now < fromMicroseconds || NOT_WORK.has(names.get(id))) continue;
    add(self, names.get(id), timeDeltas[index]);
    const callers = new Set();
    for (let each = id; each !== undefined; each = parents.get(each)) callers.add(names.get(each));
    for (const name of callers) if (!NOT_WORK.has(name)) add(total, name, timeDeltas[index]);
  }
  return { self, total };
}

const add = (times, name, time) => times.set(name, (times.get(name) ?? 0) + time);

function nameOf({ functionName, url, lineNumber }) {
  if (!url) return functionName || '(anonymous)';
  const place = url
    .split('/node_modules/')
    .at(-1)
    .replace(/^file:\/\/.*?(?=gateway\/|libs\/|services\/|bench\/)/, '');
  return `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
}

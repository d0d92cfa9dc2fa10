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
 * @returns {string} the functions that took most time themselves, in µs for each request, for a person.
 */
export function describeProfile({ folder, lastMs, requests }) {
  const [file] = fs.readdirSync(folder);
  const profile = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  const selfMicroseconds = selfTimes(profile, profile.endTime - lastMs * 1000);
  const total = [...selfMicroseconds.values()].reduce((sum, each) => sum + each, 0);
  const top = [...selfMicroseconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  const line = (name, time) =>
    `  ${(time / requests).toFixed(2).padStart(7)} µs ${((time * 100) / total).toFixed(1).padStart(5)} %  ${name}`;
  return [line('all of JavaScript and what it calls', total), ...top.map(([name, time]) => line(name, time))].join(
    '\n',
  );
}

function selfTimes({ nodes, samples, timeDeltas, startTime }, fromMicroseconds) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index];
    const name = names.get(id);
    if (now < fromMicroseconds || NOT_WORK.has(name)) continue;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  }
  return times;
}

function nameOf({ functionName, url, lineNumber }) {
  if (!url) return functionName || '(anonymous)';
  const place = url
    .split('/node_modules/')
    .at(-1)
    .replace(/^file:\/\/.*?(?=gateway\/|libs\/|services\/|bench\/)/, '');
  return `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
}

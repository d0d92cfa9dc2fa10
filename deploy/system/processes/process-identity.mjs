import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/**
 * Identifies one run of a process, so that an unrelated process with a reused pid is not taken for it.
 * @param {number} pid
 * @returns {string|null} `<pid>@<start time>`, where the start time is in the system's own unit, on Linux with `@` and the
 *   PID namespace; null when no such process runs (a zombie does not run).
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (process.platform === 'linux') return linuxIdentity(pid);
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started ? `${pid}@${started}` : null;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function linuxIdentity(pid) {
  try {
    return `${pid}@${startTicks(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))}@${pidNamespace()}`;
  } catch {
    return null;
  }
}

const pidNamespace = () => fs.readlinkSync('/proc/self/ns/pid');

/**
 * Reads the start time out of a line of /proc/<pid>/stat.
 * @param {string} stat the line; the second field, the name, may itself hold spaces and brackets.
 * @returns {string} clock ticks since boot.
 * @throws {Error} for a zombie: it holds its pid but runs no more.
 */
export function startTicks(stat) {
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (afterName[0] === 'Z') throw new Error('a zombie does not run');
  return afterName[19] ?? '';
}

/** @param {unknown} identity what `processIdentity` answered earlier, in any PID namespace. */
export function isOfOtherNamespace(identity) {
  const namespace = typeof identity === 'string' && identity.split('@')[2];
  return Boolean(namespace) && namespace !== pidNamespace();
}

/**
 * @param {string|null|undefined} identity what `processIdentity` answered earlier.
 * @returns {boolean} whether that very process still runs. A process of another PID namespace, such as a container's, counts as
 *   running, since this process cannot see it.
 */
export function isRunning(identity) {
  if (typeof identity !== 'string') return false;
  if (isOfOtherNamespace(identity)) return true;
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

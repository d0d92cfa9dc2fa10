import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];
let ticksPerSecond;

/**
 * @param {number[]} pids
 * @returns {number|null} CPU time that these processes have used so far, in seconds; null where the system does not report it.
 */
export function cpuSeconds(pids) {
  if (process.platform !== 'linux') return null;
  return inSeconds(pids.reduce((sum, pid) => sum + ticksOf(pid, [USER, SYSTEM]), 0));
}

/**
 * @param {number} pid
 * @returns {number|null} CPU time that a process and all its children have used so far, in seconds, the ended ones included:
 *   PostgreSQL has a process for each connection. Null where the system does not report it.
 */
export function cpuSecondsOfTree(pid) {
  return process.platform === 'linux' ? inSeconds(ticksOfTree(pid)) : null;
}

function ticksOfTree(pid) {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = ticksOf(pid, [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM]);
  return children.reduce((sum, child) => sum + ticksOfChild(Number(child)), own);
}

/** A child that ends meanwhile is counted with its parent the next time. */
function ticksOfChild(pid) {
  try {
    return ticksOfTree(pid);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
}

function inSeconds(ticks) {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks / ticksPerSecond;
}

function ticksOf(pid, which) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return which.reduce((sum, index) => sum + Number(fields[index]), 0);
}

/**
 * @param {number} pid
 * @returns {number} resident memory in MB. `ps` counts in KiB, on Linux and macOS alike.
 */
export function residentMegabytes(pid) {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6;
}

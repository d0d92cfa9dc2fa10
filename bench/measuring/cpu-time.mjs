import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

let ticksPerSecond;

/**
 * @param {number[]} pids
 * @returns {number|null} CPU time that these processes have used so far, in seconds; null where the system does not report it.
 */
export function cpuSeconds(pids) {
  if (process.platform !== 'linux') return null;
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return pids.reduce((sum, pid) => sum + cpuTicks(pid), 0) / ticksPerSecond;
}

function cpuTicks(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

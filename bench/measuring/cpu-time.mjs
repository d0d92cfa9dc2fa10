import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

let ticksPerSecond;

/**
 * @param {number|null} pid
 * @returns {number|null} CPU time that the process has used so far, in seconds; null where the system does not tell.
 */
export function cpuSeconds(pid) {
  if (process.platform !== 'linux' || pid === null) return null;
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

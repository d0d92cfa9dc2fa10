import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14] as const;
let ticksPerSecond: number | undefined;

/** @returns CPU time that these processes have used so far, in seconds; null where the system does not report it. */
export function cpuSeconds(pids: number[]): number | null {
  if (process.platform !== 'linux') return null;
  return inSeconds(pids.reduce((sum, pid) => sum + ticksOf(pid, [USER, SYSTEM]), 0));
}

/**
 * @returns CPU time that a process and all its children have used so far, in seconds, the ended ones included:
 *   PostgreSQL has a process for each connection. Null where the system does not report it.
 */
export function cpuSecondsOfTree(pid: number): number | null {
  return process.platform === 'linux' ? inSeconds(ticksOfTree(pid)) : null;
}

function ticksOfTree(pid: number): number {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = ticksOf(pid, [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM]);
  return children.reduce((sum, child) => sum + ticksOfChild(Number(child)), own);
}

/** A child that ends meanwhile is counted with its parent the next time. */
function ticksOfChild(pid: number): number {
  try {
    return ticksOfTree(pid);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

function inSeconds(ticks: number) {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks / ticksPerSecond;
}

function ticksOf(pid: number, which: number[]) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return which.reduce((sum, index) => sum + Number(fields[index]), 0);
}

/** @returns resident memory in MB. `ps` counts in KiB, on Linux and macOS alike. */
export function residentMegabytes(pid: number): number {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6;
}

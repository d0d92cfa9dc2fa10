import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { RunningProcess } from '../../deploy/system/processes/supervisor.ts';

// Fields of /proc/<pid>/stat after the name: ticks of the process in user and system mode, then those of its ended
// children.
const CPU_FIELDS = [11, 12, 13, 14];
let msPerTick: number | undefined;

/**
 * Returns the processor time that each process and its children have used so far, by the name of the process. Children
 * count because PostgreSQL has a process for each connection. The map is empty where the system does not report it.
 */
export function cpuMsOf(processes: RunningProcess[]): Map<string, number> {
  if (process.platform !== 'linux') return new Map();
  msPerTick ??= 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return new Map(processes.map(({ name, pid }) => [name, ticksOfTree(pid) * msPerTick!]));
}

function ticksOfTree(pid: number): number {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = CPU_FIELDS.reduce((sum, index) => sum + Number(fields[index]), 0);
  return children.reduce((sum, child) => sum + ticksOfChild(Number(child)), own);
}

/** When a child ends meanwhile, its parent reports its ticks the next time. */
function ticksOfChild(pid: number): number {
  try {
    return ticksOfTree(pid);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

/** Returns resident memory in MB. `ps` counts in KiB, on Linux and macOS alike. */
export function residentMegabytes(pid: number): number {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6;
}

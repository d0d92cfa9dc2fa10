import { execFileSync } from 'node:child_process';
import type { ProcessDescription } from '../../deploy/system/supervised-process.ts';

/**
 * Whether a process can be kept on one core here, and how.
 * @returns `pin` makes a supervisor's description of a process one that stays on `core`; where that is not possible it
 *   leaves it as it is.
 */
export function createPinning(): {
  core: string | null;
  why: string;
  pin: (process: ProcessDescription) => ProcessDescription;
} {
  const core = lastOwnCore();
  if (core === null)
    return { core, why: 'no taskset here: the servers that are measured may use any core', pin: (each) => each };
  return {
    core,
    why: `the servers that are measured run on core ${core} alone, by taskset`,
    pin: ({ command, args = [], ...rest }) => ({
      ...rest,
      command: 'taskset',
      args: ['--cpu-list', core, command, ...args],
    }),
  };
}

/** The last of the cores that we may use ourselves: the first is where interrupts mostly go. */
function lastOwnCore() {
  if (process.platform !== 'linux') return null;
  try {
    const text = execFileSync('taskset', ['--cpu-list', '--pid', String(process.pid)], { encoding: 'utf8' });
    return /(\d+)\s*$/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

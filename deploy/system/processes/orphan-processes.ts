import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { waitUntil } from './ports.ts';
import { isRunning, processIdentity } from './process-identity.mjs';

const VARIABLE = 'LOCAL_RUN_OWNER';
const END_WITHIN_MS = 10_000;

/**
 * The mark of processes started from this clone, by which orphan processes are found.
 * @param root - the clone's folder.
 * @returns to be added to the environment of every process started.
 */
export function ownerMark(root: string): Record<string, string> {
  return { [VARIABLE]: `${processIdentity(process.pid)};${root}` };
}

/**
 * Ends processes of this clone whose owner was killed. A process counts only when its own environment has the mark, so that
 * an unrelated process with a reused pid is not ended.
 * @param root - the clone's folder.
 * @param log - gets the ended ones.
 */
export async function endOrphanProcesses(root: string, log: (line: string) => void) {
  const left = environments().filter(({ pid, text }) => pid !== process.pid && isAbandoned(text, root));
  if (left.length === 0) return;
  log(
    `ending ${left.length} processes that an earlier run of this clone left behind (pids ${left.map(({ pid }) => pid).join(', ')})`,
  );
  const identities = left.flatMap(({ pid }) => processIdentity(pid) ?? []);
  signal(identities, 'SIGTERM');
  const ended = await waitUntil(async () => !identities.some(isRunning), END_WITHIN_MS);
  if (!ended) signal(identities.filter(isRunning), 'SIGKILL');
}

/**
 * @param text - a process's environment, its variables parted by NUL, space or line.
 * @param root - the clone's folder.
 * @param runs - whether that process still runs.
 * @returns whether it was started from this clone by a process that runs no more.
 */
export function isAbandoned(text: string, root: string, runs: (identity: string) => boolean = isRunning): boolean {
  const start = text.indexOf(`${VARIABLE}=`);
  if (start < 0) return false;
  const value = text.slice(start + VARIABLE.length + 1);
  const separator = value.indexOf(';');
  const rest = value.slice(separator + 1);
  const isOfRoot = rest.startsWith(root) && /^(?:$|[\0\s])/.test(rest.slice(root.length));
  return separator > 0 && isOfRoot && !runs(value.slice(0, separator));
}

function environments() {
  if (process.platform === 'linux')
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(environment);
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split(
    '\n',
  );
  return lines.map((text) => ({ pid: Number.parseInt(text, 10), text }));
}

function environment(name: string) {
  try {
    return { pid: Number(name), text: fs.readFileSync(`/proc/${name}/environ`, 'utf8') };
  } catch {
    return { pid: Number(name), text: '' };
  }
}

function signal(identities: string[], name: NodeJS.Signals) {
  for (const identity of identities) {
    try {
      process.kill(Number.parseInt(identity, 10), name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

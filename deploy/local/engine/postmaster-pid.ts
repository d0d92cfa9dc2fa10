import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../system/processes/ports.ts';

const END_WITHIN_MS = 10_000;

/**
 * Prepares a data folder for a new PostgreSQL. A PostgreSQL that outlived its supervisor is ended; processes that a
 * killed one left behind are waited for, since two servers on one folder would destroy the data. Only then the
 * postmaster.pid of a killed server is removed: when another process has its pid, PostgreSQL would not start.
 * @throws when a process on the folder does not end within 10 s.
 */
export async function endOrphan(folder: string) {
  const file = path.join(folder, 'postmaster.pid');
  const postmaster = readPid(file);
  const left = processesIn(folder);
  // The postmaster gets a signal to end all connections and flush its data; an orphan of a killed one gets a signal to
  // end.
  for (const pid of left)
    if (postmaster === null || !left.includes(postmaster) || pid === postmaster)
      signal(pid, pid === postmaster ? 'SIGINT' : 'SIGTERM');
  const ended = await waitUntil(async () => processesIn(folder).length === 0, END_WITHIN_MS);
  if (!ended)
    throw new Error(
      `another PostgreSQL (pid ${processesIn(folder).join(', ')}) is at work on ${folder} and does not end`,
    );
  fs.rmSync(file, { force: true });
}

/** The working directory of every process of a PostgreSQL, and of no other process, is its data folder. */
function processesIn(folder: string) {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workFolder(name) === folder)
    .map(Number);
}

function workFolder(pid: string) {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function readPid(file: string) {
  try {
    return Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

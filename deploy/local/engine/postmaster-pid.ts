import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../system/processes/ports.ts';

const END_WITHIN_MS = 10_000;

/**
 * Clears the way for a new PostgreSQL on a data folder. One that outlived its supervisor is ended; what a killed one has left
 * at work is waited for, since two at once would destroy the data. Only then goes the postmaster.pid of a killed one: once
 * its pid belongs to some other process, PostgreSQL would do not start.
 * @param folder - PostgreSQL's data folder.
 * @throws when a process at work on the folder does not end within 10 s.
 */
export async function endOrphan(folder: string) {
  const file = path.join(folder, 'postmaster.pid');
  const postmaster = readPid(file);
  const left = processesIn(folder);
  // To the postmaster: end all connections and write everything down. To an orphan of a killed one: end.
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

/** Every process of a PostgreSQL, and no other, works in its data folder. */
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

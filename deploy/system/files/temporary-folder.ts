import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PRODUCT } from '../paths.mjs';
import { evaluateLock, tryLock } from './file-lock.mjs';
import { canReach, databaseUser } from './unprivileged-user.ts';

const LOCK = 'in-use.lock';
const REMOVED = '.removed';
const LONGEST_REMOVAL_MS = 60_000;

export interface TemporaryFolder {
  /** The database's user can walk to it. */
  folder: string;
  remove: () => void;
}

/** Makes a folder for temporary data, and removes those of killed runs. */
export function temporaryFolder(): TemporaryFolder {
  const user = databaseUser();
  const base = [os.tmpdir(), '/tmp', '/var/tmp'].find((each) => canReach(each, user)) ?? os.tmpdir();
  removeAbandoned(base);
  const folder = fs.mkdtempSync(path.join(base, `${PRODUCT}-`));
  fs.chmodSync(folder, 0o711);
  tryLock(path.join(folder, LOCK));
  return { folder, remove: () => remove(folder) };
}

function removeAbandoned(base: string) {
  const names = fs.readdirSync(base).filter((name) => name.startsWith(`${PRODUCT}-`));
  for (const folder of names.map((name) => path.join(base, name))) {
    if (folder.endsWith(REMOVED) ? isOlderThanRemoval(folder) : isAbandoned(folder)) remove(folder);
  }
}

/**
 * Renames the folder first: when two processes remove it, one rename fails, so neither adds a lock to a folder that the
 * other empties.
 */
function remove(folder: string) {
  const removed = folder.endsWith(REMOVED) ? folder : `${folder}${REMOVED}`;
  try {
    if (removed !== folder) fs.renameSync(folder, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  fs.rmSync(removed, { recursive: true, force: true, maxRetries: 5 });
}

/** A folder without a lock may have just been made; another user's cannot be removed. */
function isAbandoned(folder: string) {
  const lock = path.join(folder, LOCK);
  const stat = fs.statSync(lock, { throwIfNoEntry: false });
  return stat !== undefined && isOurs(stat) && isStale(lock, Date.now() - stat.mtimeMs);
}

function isStale(lock: string, ageMs: number) {
  try {
    return evaluateLock(fs.readFileSync(lock, 'utf8'), ageMs, lock) === 'stale';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns whether the process that renamed the folder ended before it removed it. */
function isOlderThanRemoval(folder: string) {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && isOurs(stat) && Date.now() - stat.ctimeMs > LONGEST_REMOVAL_MS;
}

const isOurs = ({ uid }: fs.Stats) => process.getuid === undefined || uid === process.getuid();

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, processIdentity } from '../processes/process-identity.mjs';

const HALF_WRITTEN_MS = 2000;

/**
 * Evaluates a lock file found on disk.
 * @param {string} text the file's content.
 * @param {number} ageMs how long ago it was written.
 * @param {(identity: string) => boolean} [runs] whether that process still runs.
 * @returns {'held'|'stale'} an unreadable file counts as held while its writer may still be at it.
 */
export function evaluateLock(text, ageMs, runs = isRunning) {
  try {
    return runs(JSON.parse(text).owner) ? 'held' : 'stale';
  } catch {
    return ageMs < HALF_WRITTEN_MS ? 'held' : 'stale';
  }
}

/**
 * Takes a lock file unless a live process holds it.
 * @param {string} file absolute path.
 * @returns {{release: () => void} | {heldBy: number|null}} the lock, or the pid of its holder (null when not yet written).
 * @throws {Error} what the file system says: no rights, no space.
 */
export function tryLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (create(file)) return { release: () => release(file) };
  removeIfStale(file);
  if (create(file)) return { release: () => release(file) };
  return { heldBy: holder(file) };
}

/**
 * Takes a lock file, waiting for as long as another living process holds it.
 * @param {string} file absolute path.
 * @param {(pid: number|null) => void} onWait called once, before the first wait.
 * @returns {Promise<{release: () => void}>}
 */
export async function waitForLock(file, onWait) {
  for (let waited = false; ; waited = true) {
    const lock = tryLock(file);
    if ('release' in lock) return lock;
    if (!waited) onWait(lock.heldBy);
    await sleep(250);
  }
}

/** @param {string} file */
function create(file) {
  try {
    fs.writeFileSync(file, JSON.stringify({ owner: processIdentity(process.pid), pid: process.pid }), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Two processes may find the same stale lock: the second must not delete the lock that the first has just taken.
 * @param {string} file
 */
function removeIfStale(file) {
  const guard = `${file}.removing`;
  if (ageMs(guard) > HALF_WRITTEN_MS) fs.rmSync(guard, { force: true });
  if (!create(guard)) return;
  try {
    const text = read(file);
    if (text !== null && evaluateLock(text, ageMs(file)) === 'stale') fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

/** @param {string} file */
function release(file) {
  if (holder(file) === process.pid) fs.rmSync(file, { force: true });
}

/** @param {string} file */
function holder(file) {
  try {
    return JSON.parse(read(file) ?? '').pid ?? null;
  } catch {
    return null;
  }
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} file */
function ageMs(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : -1;
}

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOfOtherNamespace, isRunning, processIdentity } from '../processes/process-identity.mjs';

const HALF_WRITTEN_MS = 2000;
/** @type {Map<string, number>} Descriptors of the lock files that this process holds, each with a lock of the kernel. */
const held = new Map();

/**
 * Evaluates a lock file found on disk.
 * @param {string} text the file's content.
 * @param {number} ageMs how long ago it was written.
 * @param {string} [file] where it is.
 * @returns {'held'|'stale'} an unreadable file counts as held while its writer may still be at it.
 */
export function evaluateLock(text, ageMs, file) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    return ageMs < HALF_WRITTEN_MS ? 'held' : 'stale';
  }
  const { owner, inKernel } = content;
  if (file && inKernel && isOfOtherNamespace(owner)) return isFreeInKernel(file) ? 'stale' : 'held';
  return isRunning(owner) ? 'held' : 'stale';
}

/**
 * Takes a lock file unless a live process holds it.
 * @param {string} file absolute path.
 * @returns {{release: () => void} | {heldBy: number|null}} the lock, or the pid of its holder (null when not yet written).
 * @throws {Error} what the file system says: no rights, no space.
 */
export function tryLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (take(file)) return { release: () => release(file) };
  removeIfStale(file);
  if (take(file)) return { release: () => release(file) };
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

const ownerOfThis = () => ({ owner: processIdentity(process.pid), pid: process.pid });

/** @param {string} file */
function take(file) {
  if (!create(file)) return false;
  lockInKernel(file);
  return true;
}

/** @param {string} file */
function create(file) {
  try {
    fs.writeFileSync(file, JSON.stringify(ownerOfThis()), { flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  return true;
}

/**
 * Also holds the file by a lock of the kernel, which ends with this process: a process of another PID namespace, such as that of a
 * container, cannot see whether this one runs. Where there is no program `flock`, such a process waits until the file is removed.
 * @param {string} file
 */
function lockInKernel(file) {
  if (process.platform !== 'linux') return;
  const descriptor = fs.openSync(file, 'r+');
  if (!flock(descriptor)) return fs.closeSync(descriptor);
  fs.writeSync(descriptor, JSON.stringify({ ...ownerOfThis(), inKernel: true }), 0);
  held.set(file, descriptor);
}

/**
 * The lock belongs to the open file, which this process shares with the program.
 * @param {number} descriptor
 */
const flock = (descriptor) =>
  spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] }).status === 0;

/** @param {string} file */
function isFreeInKernel(file) {
  const descriptor = fs.openSync(file, 'r');
  try {
    return flock(descriptor);
  } finally {
    fs.closeSync(descriptor);
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
    if (text !== null && evaluateLock(text, ageMs(file), file) === 'stale') fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

/** @param {string} file */
function release(file) {
  if (holder(file) === process.pid) fs.rmSync(file, { force: true });
  const descriptor = held.get(file);
  if (descriptor === undefined) return;
  held.delete(file);
  fs.closeSync(descriptor);
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

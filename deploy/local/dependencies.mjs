import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { checkDisk } from '../system/files/disk-space.mjs';
import { waitForLock } from '../system/files/file-lock.mjs';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { runCommand } from '../system/processes/run-command.mjs';
import { logProgress } from '../system/progress.mjs';

const FOLDER = path.join(ROOT, 'node_modules');
const MARKER = path.join(FOLDER, '.installed-lock');
const NEEDED_MEGABYTES = 1000;
const NETWORK = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/;

/**
 * Installs the packages that package-lock.json names, unless they lie there already.
 * @param {(line: string) => void} log
 * @throws {Error} a sentence when npm is missing, the download fails or the disk is full.
 */
export async function installPackages(log) {
  const lockFile = path.join(ROOT, 'package-lock.json');
  const lock = fs.readFileSync(lockFile, 'utf8');
  const hash = crypto.createHash('sha256').update(lock).digest('hex');
  if (isInstalled(hash, lockFile)) return;
  const held = await waitForLock(path.join(LOCAL, 'packages.lock'), (pid) =>
    log(`packages: another installation is at work in this clone (pid ${pid}); waiting for it`),
  );
  try {
    if (!isInstalled(hash, lockFile)) await install(lock, log);
    fs.writeFileSync(MARKER, hash);
  } finally {
    held.release();
  }
}

/**
 * @param {string} lock the text of package-lock.json.
 * @param {(line: string) => void} log
 */
async function install(lock, log) {
  if (!findOnPath('npm')) throw new Error('npm is missing; it comes with Node.js (https://nodejs.org)');
  checkDisk(ROOT, NEEDED_MEGABYTES, 'the packages');
  const count = Object.keys(JSON.parse(lock).packages).filter((name) => name.startsWith('node_modules/')).length;
  await logProgress(log, `packages: installing up to ${count} with npm ci`, installAll);
}

async function installAll() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await runCommand('npm', args, { cwd: ROOT, shownLines: 100 }).catch((/** @type {Error} */ error) => {
    throw new Error(explain(error.message));
  });
  return 'installed';
}

/**
 * npm prints the error first, and then a long usage text.
 * @param {string} message
 */
function explain(message) {
  const beginning = message.split('\n').slice(0, 12).join('\n');
  return NETWORK.test(message) ? `npm ci could not reach its registry: is there a network?\n${beginning}` : beginning;
}

/**
 * Packages that somebody installed by hand, after the lock file changed, count too.
 * @param {string} hash
 * @param {string} lockFile
 */
function isInstalled(hash, lockFile) {
  if (fs.existsSync(MARKER) && fs.readFileSync(MARKER, 'utf8') === hash) return true;
  const npmsOwn = fs.statSync(path.join(FOLDER, '.package-lock.json'), { throwIfNoEntry: false });
  return npmsOwn !== undefined && npmsOwn.mtimeMs >= fs.statSync(lockFile).mtimeMs;
}

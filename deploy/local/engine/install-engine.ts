import fs from 'node:fs';
import path from 'node:path';
import { checkDisk } from '../../system/files/disk-space.mjs';
import { waitForLock } from '../../system/files/file-lock.mjs';
import { engineFolder } from '../../system/files/folders.ts';
import { databaseUser } from '../../system/files/unprivileged-user.ts';
import { logProgress } from '../../system/progress.mjs';
import { downloadPackages } from '../debian/private-apt.ts';
import { unpackPackages } from '../debian/unpack.ts';
import { CANDIDATES, choosePackages } from './choose-packages.ts';
import {
  ENGINE_VERSION,
  type EnginePaths,
  enginePaths,
  FERRETDB_VERSION,
  type InstalledPaths,
  installedPaths,
} from './engine-paths.ts';
import { goInstall, hasGo } from './go-install.ts';
import { relocate } from './relocate.ts';

const NEEDED_MEGABYTES = 2000;
const FERRETDB = `github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v${FERRETDB_VERSION}`;

/**
 * Makes sure that the offline engine lies in the cache folder, complete. A lock excludes concurrent set-ups: the second
 * waits for the first and then finds the engine installed.
 * @param options - `log` gets each step, with sizes and times.
 * @throws naming what is missing on this machine; downloads are kept for the next attempt.
 */
export async function installEngine({ log }: { log: (line: string) => void }): Promise<InstalledPaths> {
  const paths = enginePaths(engineFolder(ENGINE_VERSION, databaseUser()));
  checkOwner(paths.folder);
  if (fs.existsSync(paths.complete)) return installedPaths(paths);
  // The database's user must be able to read all files.
  const umask = process.umask(0o022);
  const lock = await waitForLock(`${paths.folder}.lock`, (pid) =>
    log(`database engine: another set-up is at work on ${paths.folder} (pid ${pid}); waiting for it`),
  );
  try {
    if (!fs.existsSync(paths.complete)) await install(paths, log);
  } finally {
    process.umask(umask);
    lock.release();
  }
  return installedPaths(paths);
}

async function install(paths: EnginePaths, log: (line: string) => void) {
  log(`database engine: first set-up, into ${paths.folder}`);
  fs.mkdirSync(paths.folder, { recursive: true, mode: 0o755 });
  checkDisk(paths.folder, NEEDED_MEGABYTES, 'the set-up of the database engine');
  for (const each of [paths.root, paths.bin]) fs.rmSync(each, { recursive: true, force: true });
  fs.mkdirSync(paths.downloads, { recursive: true });
  const removed = [paths.downloads];
  if (hasGo()) {
    const unpacked = download(paths, { withGo: false }, log).then(({ files }) => unpack(paths, files, log));
    await bothOrNone([unpacked, compile(paths, log)]);
  } else {
    log('database engine: no Go 1.25 or later is on PATH, so Go comes with the packages');
    const { files, go } = await download(paths, { withGo: true }, log);
    const [goRoot, goSources] = [
      path.join(paths.root, `usr/lib/go-${go}`),
      path.join(paths.root, `usr/share/go-${go}`),
    ];
    const ofGo = files.filter((file) => /\/golang-/.test(file));
    await unpackPackages(ofGo, paths.root, () => {});
    await bothOrNone([unpack(paths, files, log), compile(paths, log, goRoot)]);
    removed.push(goRoot, goSources);
  }
  for (const each of removed) fs.rmSync(each, { recursive: true, force: true });
  fs.writeFileSync(paths.complete, `${new Date().toISOString()}\n`);
  log('database engine: ready, and kept for every other clone');
}

/** Programs that we run must belong to us. */
function checkOwner(folder: string) {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat && stat.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user; remove it`);
}

/** When one part fails, the other may still write: the lock is released only when both have ended. */
async function bothOrNone(work: Promise<void>[]) {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

async function download(paths: EnginePaths, options: { withGo: boolean }, log: (line: string) => void) {
  const chosen: { go: string | null; packages: string[] } = { go: null, packages: [] };
  let files: string[] = [];
  const choose = (names: string[]) => {
    Object.assign(chosen, choosePackages(names, options));
    return chosen.packages;
  };
  await logProgress(log, 'database engine: downloading PostgreSQL with DocumentDB', async (update) => {
    const folder = path.join(paths.downloads, 'apt');
    const downloaded = await downloadPackages(folder, { pattern: CANDIDATES, choose }, update);
    files = downloaded.files;
    return `${chosen.packages.join(', ')} and what they need: ${files.length} packages, ${downloaded.megabytes} MB`;
  });
  return { files, go: chosen.go };
}

function unpack(paths: EnginePaths, files: string[], log: (line: string) => void) {
  return logProgress(log, 'database engine: unpacking', async (update) => {
    await unpackPackages(files, paths.root, update);
    await relocate(installedPaths(paths));
    return `${files.length} packages`;
  });
}

function compile(paths: EnginePaths, log: (line: string) => void, goRoot?: string) {
  return logProgress(log, 'database engine: building FerretDB', async () => {
    await goInstall(FERRETDB, paths, goRoot);
    return `${Math.round(fs.statSync(paths.ferretdb).size / 1e6)} MB`;
  });
}

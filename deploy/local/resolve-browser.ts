import fs from 'node:fs';
import path from 'node:path';
import { checkDisk } from '../system/files/disk-space.mjs';
import { waitForLock } from '../system/files/file-lock.mjs';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { cacheFolder } from '../system/files/folders.ts';
import { runCommand } from '../system/processes/run-command.mjs';
import { logProgress } from '../system/progress.mjs';
import { debianRoot, patchPrograms } from './debian/debian-root.ts';
import { downloadPackages } from './debian/private-apt.ts';
import { unpackPackages } from './debian/unpack.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** The headless shell has no windows, and so needs no libraries of a desktop. */
const PACKAGES = ['chromium-headless-shell', 'fonts-liberation', 'patchelf'];
const PROGRAMS = ['chromium-headless-shell', 'chrome_crashpad_handler'];
const NEEDED_MEGABYTES = 1200;

/**
 * The browser in which tests open the pages of the dashboard. In order: `CHROMIUM`; the first on PATH; the one in the cache
 * folder; Debian's packages, unpacked into that folder (180 MB to download).
 * @param options - `download` is whether the packages may be fetched; `log` gets what follows where there is no browser.
 * @returns its path; an empty text without one.
 */
export async function resolveBrowser({
  download,
  log,
}: {
  download: boolean;
  log: (line: string) => void;
}): Promise<string> {
  const found = process.env.CHROMIUM || NAMES.map((name) => findOnPath(name)).find((each) => each !== null);
  if (found) return found;
  const folder = path.join(cacheFolder(), 'chromium');
  const program = path.join(folder, 'chromium');
  if (fs.existsSync(program)) return program;
  if (!download) return '';
  try {
    await install(folder, program, log);
    return program;
  } catch (error) {
    const why = `no Chromium is on PATH, and Debian's cannot be had: ${(error as Error).message.replaceAll('\n', ' ')}`;
    log(`browser: ${why}; the tests in a browser are left out (set CHROMIUM, or install Chromium)`);
    return '';
  }
}

async function install(folder: string, program: string, log: (line: string) => void) {
  const lock = await waitForLock(`${folder}.lock`, () => log(`browser: another set-up is at work on ${folder}`));
  try {
    if (fs.existsSync(program)) return;
    fs.mkdirSync(folder, { recursive: true });
    checkDisk(folder, NEEDED_MEGABYTES, 'the browser of the tests');
    const title = "browser: no Chromium is on PATH; Debian's goes into the cache";
    await logProgress(log, title, (update) => fetchInto(folder, program, update));
  } finally {
    lock.release();
  }
}

async function fetchInto(folder: string, program: string, update: (text: string) => void) {
  const unpacked = debianRoot(path.join(folder, 'root'));
  const downloads = path.join(folder, 'downloads');
  fs.rmSync(unpacked.root, { recursive: true, force: true });
  const requested = { pattern: '^chromium-headless-shell$', choose: () => PACKAGES };
  const { files, megabytes } = await downloadPackages(downloads, requested, update);
  await unpackPackages(files, unpacked.root, update);
  const programs = PROGRAMS.map((name) => path.join(unpacked.root, 'usr/lib/chromium', name));
  await patchPrograms(unpacked, ['--set-interpreter', unpacked.loader, ...programs]);
  const started = `${program}.new`;
  fs.writeFileSync(path.join(folder, 'fonts.conf'), FONTS);
  fs.writeFileSync(started, launcherOf(path.relative(folder, unpacked.libraries)), { mode: 0o755 });
  await runCommand(started, ['--version']);
  fs.rmSync(downloads, { recursive: true, force: true });
  // The rename is last and atomic, so an existing program is complete.
  fs.renameSync(started, program);
  return `${files.length} packages, ${megabytes} MB`;
}

/** The packages have the C library of another release: the program finds theirs, and nothing of the machine's. */
const launcherOf = (libraries: string) => `#!/bin/sh
folder=$(dirname "$(realpath "$0")")
export FONTCONFIG_FILE="$folder/fonts.conf"
export LD_LIBRARY_PATH="$folder/${libraries}:$folder/${libraries}/pulseaudio"
exec "$folder/root/usr/lib/chromium/${PROGRAMS[0]}" "$@"
`;

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">root/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

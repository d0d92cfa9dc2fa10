import fs from 'node:fs';
import path from 'node:path';
import { downloadPackages } from '../local/debian/private-apt.ts';
import { unpackPackages } from '../local/debian/unpack.ts';
import { waitForLock } from '../system/files/file-lock.mjs';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { cacheFolder } from '../system/files/folders.ts';
import { runCommand } from '../system/processes/run-command.mjs';

const PACKAGE = 'docker-compose';
const PROGRAM = 'usr/libexec/docker/cli-plugins/docker-compose';
const WITHIN_MS = 90_000;

/**
 * Finds a program that reads compose files; none of them needs a Docker engine for that. In order: `docker-compose` on PATH;
 * `docker compose`; the one in the cache folder; Debian's package, downloaded into that folder (17 MB).
 * @param log - gets a line about a download.
 * @throws a sentence with the reason why there is none; at the latest after a minute and a half.
 */
export async function findComposeProgram(
  log: (line: string) => void,
): Promise<{ command: string; args: string[]; how: string }> {
  const onPath = findOnPath('docker-compose');
  if (onPath) return { command: onPath, args: [], how: `the docker-compose on PATH (${onPath})` };
  const docker = findOnPath('docker');
  if (docker && (await runs(docker, ['compose', 'version']))) {
    return { command: docker, args: ['compose'], how: `docker compose (${docker})` };
  }
  const folder = path.join(cacheFolder(), PACKAGE);
  const command = path.join(folder, PACKAGE);
  if (!fs.existsSync(command)) await within(WITHIN_MS, download(folder, command, log));
  if (!(await runs(command, ['version']))) throw new Error(`${command} does not run on this machine`);
  return { command, args: [], how: `Debian's docker-compose (${command})` };
}

async function download(folder: string, command: string, log: (line: string) => void) {
  if (process.platform !== 'linux') throw new Error(`Debian's packages are for Linux, this is ${process.platform}`);
  const lock = await waitForLock(`${folder}.lock`, () =>
    log(`docker-compose: another download is at work on ${folder}`),
  );
  try {
    if (fs.existsSync(command)) return;
    log(`docker-compose: none is on PATH; Debian's package goes into ${folder} …`);
    const requested = { pattern: `^${PACKAGE}$`, choose: () => [PACKAGE] };
    const [downloads, unpacked] = [path.join(folder, 'downloads'), path.join(folder, 'unpacked')];
    const { files } = await downloadPackages(downloads, requested, () => {});
    // The C library that apt adds is not needed: any recent one works.
    const own = files.filter((file) => path.basename(file).startsWith(`${PACKAGE}_`));
    await unpackPackages(own, unpacked, () => {});
    // The rename is last and atomic, so an existing file is complete.
    fs.renameSync(path.join(unpacked, PROGRAM), command);
    for (const each of [downloads, unpacked]) fs.rmSync(each, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

function runs(command: string, args: string[]) {
  return runCommand(command, args).then(
    () => true,
    () => false,
  );
}

async function within(ms: number, work: Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error(`the download took more than ${ms / 1000} s`));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

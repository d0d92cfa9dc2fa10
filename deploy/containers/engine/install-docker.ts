import fs from 'node:fs';
import path from 'node:path';
import { type DebianRoot, debianRoot, patchPrograms } from '../../local/debian/debian-root.ts';
import { downloadPackages } from '../../local/debian/private-apt.ts';
import { unpackPackages } from '../../local/debian/unpack.ts';
import { checkDisk } from '../../system/files/disk-space.mjs';
import { waitForLock } from '../../system/files/file-lock.mjs';
import { cacheFolder } from '../../system/files/folders.ts';
import { logProgress } from '../../system/progress.mjs';

/** The release of Debian that the engine and the base images are taken from. */
export const RELEASE = 'trixie';

/** The folder is named by what is in it; raise the number with any change of the installed files. */
const VERSION = 'docker-26.1-1';
const PACKAGES = [
  'busybox-static',
  'containerd',
  'debootstrap',
  'docker-buildx',
  'docker-cli',
  'docker-compose',
  'docker.io',
  'iptables',
  'patchelf',
  'runc',
  'slirp4netns',
  'tini',
];
/** What the engine starts by name: the other programs that come with the packages are not those of this machine. */
const STARTED = [
  'usr/bin/containerd',
  'usr/bin/containerd-shim-runc-v2',
  'usr/bin/docker',
  'usr/sbin/docker-proxy',
  'usr/sbin/dockerd',
  'usr/sbin/runc',
];
/** Debian makes these names by scripts that run at an installation. */
const NAMED = {
  'docker-init': 'usr/bin/tini-static',
  iptables: 'usr/sbin/xtables-nft-multi',
  'iptables-restore': 'usr/sbin/xtables-nft-multi',
  'iptables-save': 'usr/sbin/xtables-nft-multi',
};
/** These need a C library that is newer than that of some machines, so they run with the one that is unpacked beside them. */
const RELOCATED = ['usr/sbin/runc', 'usr/sbin/xtables-nft-multi', 'usr/bin/slirp4netns'];
const NEEDED_MEGABYTES = 6000;

/** An installed engine; absolute paths. */
export interface DockerFiles extends DebianRoot {
  /** Everything of the engine: programs, and beside them its images and containers. */
  folder: string;
  /** The folder of the programs that are started by name. */
  bin: string;
}

const folderOf = () => path.join(cacheFolder(), VERSION);
const markOf = (folder: string) => path.join(folder, '.complete');

/** Whether an earlier run has brought the engine. */
export const isDockerInstalled = (): boolean => fs.existsSync(markOf(folderOf()));

/**
 * Makes sure that Docker's engine, Compose and BuildKit lie in the cache folder, complete. Nothing of them is installed on the machine.
 * @param log - gets each step, with sizes and times.
 * @throws a sentence that names what is missing on this machine.
 */
export async function installDocker(log: (line: string) => void): Promise<DockerFiles> {
  const folder = folderOf();
  const debian = debianRoot(path.join(folder, 'root'));
  const files = { ...debian, folder, bin: path.join(folder, 'bin') };
  const complete = markOf(folder);
  if (fs.existsSync(complete)) return files;
  const lock = await waitForLock(`${folder}.lock`, (pid) =>
    log(`docker: another set-up is at work on ${folder} (pid ${pid}); waiting for it`),
  );
  try {
    if (!fs.existsSync(complete)) await install(files, log);
    fs.writeFileSync(complete, `${new Date().toISOString()}\n`);
  } finally {
    lock.release();
  }
  return files;
}

async function install(files: DockerFiles, log: (line: string) => void) {
  fs.mkdirSync(files.folder, { recursive: true });
  checkDisk(files.folder, NEEDED_MEGABYTES, 'the engine and its images');
  const downloads = path.join(files.folder, 'downloads');
  await logProgress(log, `docker: first set-up, into ${files.folder}`, async (update) => {
    const wanted = { release: RELEASE, pattern: `^(${PACKAGES.join('|')})$`, choose: () => PACKAGES };
    const { files: packages, megabytes } = await downloadPackages(downloads, wanted, update);
    await unpackPackages(packages, files.root, update);
    await relocate(files);
    return `${packages.length} packages, ${megabytes} MB`;
  });
  fs.rmSync(downloads, { recursive: true });
}

async function relocate(files: DockerFiles) {
  const programs = RELOCATED.map((each) => path.join(files.root, each));
  await patchPrograms(files, ['--force-rpath', '--set-rpath', files.libraries, ...programs]);
  await patchPrograms(files, ['--set-interpreter', files.loader, ...programs]);
  fs.mkdirSync(files.bin);
  const named = [...STARTED.map((each) => [path.basename(each), each] as const), ...Object.entries(NAMED)];
  for (const [name, program] of named) fs.symlinkSync(path.join(files.root, program), path.join(files.bin, name));
}

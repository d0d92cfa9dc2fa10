import fs from 'node:fs';
import path from 'node:path';
import { waitForLock } from '../../system/files/file-lock.mjs';
import { cacheFolder } from '../../system/files/folders.ts';
import { logProgress } from '../../system/progress.mjs';
import { downloadPackages } from './private-apt.ts';
import { unpackPackages } from './unpack.ts';

/**
 * Makes sure that programs of Debian lie in the cache folder, complete; nothing is installed on the machine. They use its C library, so
 * this is for programs without others.
 * @param name - names the folder; change it with `packages` or `release`.
 * @returns the folder in which the packages are unpacked.
 * @throws a sentence that names what is missing.
 */
export async function debianPrograms(
  name: string,
  { packages, release }: { packages: readonly string[]; release: string },
  log: (line: string) => void,
): Promise<string> {
  if (process.platform !== 'linux') throw new Error(`Debian's packages are for Linux, this is ${process.platform}`);
  const folder = path.join(cacheFolder(), name);
  if (fs.existsSync(folder)) return folder;
  const lock = await waitForLock(`${folder}.lock`, () => log(`${name}: another download is at work on ${folder}`));
  try {
    if (fs.existsSync(folder)) return folder;
    const unfinished = `${folder}.unfinished`;
    const [downloads, unpacked] = [path.join(unfinished, 'downloads'), path.join(unfinished, 'unpacked')];
    await logProgress(log, `${name}: Debian's packages go into ${folder}`, async (update) => {
      const wanted = { release, pattern: `^(${packages.join('|')})$`, choose: () => [...packages] };
      const { files } = await downloadPackages(downloads, wanted, update);
      const own = files.filter((file) => packages.includes(path.basename(file).split('_')[0]!));
      await unpackPackages(own, unpacked, update);
      return `${own.length} packages`;
    });
    // The rename is last and atomic, so an existing folder is complete.
    fs.renameSync(unpacked, folder);
    fs.rmSync(unfinished, { recursive: true, force: true });
    return folder;
  } finally {
    lock.release();
  }
}

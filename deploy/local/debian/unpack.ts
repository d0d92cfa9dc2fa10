import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { runCommand } from '../../system/processes/run-command.mjs';

const LEFT_OUT = ['./usr/share/doc', './usr/share/man', './usr/share/locale', './usr/lib/postgresql/*/lib/bitcode'];
const AT_ONCE = 2;

/**
 * Unpacks Debian packages into one root folder, without installing them.
 * @param files - absolute paths of .deb files.
 * @param onProgress - gets "20 of 206 packages".
 * @throws when dpkg-deb or tar is missing, a package is broken or the disk is full.
 */
export async function unpackPackages(files: string[], root: string, onProgress: (text: string) => void) {
  fs.mkdirSync(root, { recursive: true });
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      await unpack(file, root);
      onProgress(`${files.length - waiting.length} of ${files.length} packages`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function unpack(file: string, root: string) {
  const reader = spawn('dpkg-deb', ['--fsys-tarfile', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  const read = new Promise<void>((resolve, reject) => {
    reader.once('error', () => reject(new Error('dpkg-deb is missing')));
    reader.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`dpkg-deb cannot read ${file}`))));
  });
  // Owners and modes of the packages are dropped: a cache must not contain setuid programs.
  const args = [
    '--extract',
    '--no-same-owner',
    '--no-same-permissions',
    '-C',
    root,
    ...LEFT_OUT.map((each) => `--exclude=${each}`),
  ];
  const written = runCommand('tar', args, { missing: 'tar is missing', stdio: [reader.stdout, 'pipe', 'pipe'] });
  // Only tar reads the pipe: if it stayed open here too, dpkg-deb would hang after a failure of tar.
  reader.stdout?.destroy();
  const endings = await Promise.allSettled([written, read]);
  const failed = endings.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

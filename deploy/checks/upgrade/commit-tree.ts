import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL, ROOT } from '../../system/paths.mjs';

const LIBRARIES = ['contracts', 'platform', 'messaging', 'mongo'].map((name) => `libs/${name}`);
/** What compiling does not make, taken from this clone: files of the dashboard, and packages beside their user. */
const SHARED = ['gateway/dashboard/dist', 'gateway/node_modules'];

/** The full id of a commit; throws when there is none. */
export const commitOf = (name: string): string =>
  execFileSync('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd: ROOT, encoding: 'utf8' }).trim();

/**
 * Makes the libraries, services and gateway of a commit, compiled, in a folder below this clone, where they find its packages.
 * Returns the folder, which the caller removes.
 */
export function makeTree(commit: string): string {
  const folder = path.join(LOCAL, 'upgrade', `${commit.slice(0, 12)}-${process.pid}`);
  fs.mkdirSync(path.join(folder, 'node_modules/@swim'), { recursive: true });
  const archive = ['archive', commit, 'libs', 'services', 'gateway'];
  const input = execFileSync('git', archive, { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input });
  const services = fs.readdirSync(path.join(folder, 'services')).map((name) => `services/${name}`);
  for (const each of [...LIBRARIES, ...services, 'gateway']) {
    const cwd = path.join(folder, each);
    execFileSync(process.execPath, [path.join(ROOT, 'deploy/compile.ts')], { cwd, stdio: 'inherit' });
    fs.symlinkSync(cwd, path.join(folder, 'node_modules/@swim', path.basename(each)));
  }
  for (const each of SHARED) fs.symlinkSync(path.join(ROOT, each), path.join(folder, each));
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(makeTree(commitOf(process.argv[2]!)));

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import { temporaryFolder } from '../system/temporary-folder.mjs';

const MOUNT = '/run/secrets/';

/**
 * Makes secrets as documented in deploy/README.md, in a folder of their own.
 * @returns {{folder: string, read: (name: string) => string, mount: (service: object) => Record<string, string>, remove: () => void}}
 *   `mount` lays out what a service of the compose file sees below /run/secrets, and returns its environment with paths to
 *   them.
 */
export function makeSecrets() {
  const made = temporaryFolder();
  execFileSync('sh', [path.join(ROOT, 'deploy/make-secrets.sh')], { cwd: made.folder });
  const file = (name) => path.join(made.folder, 'secrets', name);
  return {
    folder: path.join(made.folder, 'secrets'),
    read: (name) => fs.readFileSync(file(name), 'utf8').trim(),
    mount({ secrets = [], environment = {} }) {
      const folder = fs.mkdtempSync(path.join(made.folder, 'mounted-'));
      for (const each of secrets) {
        const { source, target } = typeof each === 'string' ? { source: each, target: each } : each;
        fs.copyFileSync(file(source), path.join(folder, target));
      }
      const here = (value) => (value.startsWith(MOUNT) ? path.join(folder, value.slice(MOUNT.length)) : value);
      return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]));
    },
    remove: made.remove,
  };
}

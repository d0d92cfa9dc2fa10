import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { type ComposeService, secretsMountOf } from './compose-file.ts';

const MOUNT = '/run/secrets/';

export interface MadeSecrets {
  folder: string;
  read: (name: string) => string;
  /** The environment of a service of the compose file, with the paths of what it sees below /run/secrets. */
  mount: (service: Pick<ComposeService, 'volumes' | 'environment'>) => Record<string, string>;
  remove: () => void;
}

/** Makes secrets as documented in deploy/README.md, in a folder of their own. */
export function makeSecrets(): MadeSecrets {
  const made = temporaryFolder();
  execFileSync('sh', [path.join(ROOT, 'deploy/make-secrets.sh')], { cwd: made.folder });
  const file = (name: string) => path.join(made.folder, 'secrets', name);
  return {
    folder: path.join(made.folder, 'secrets'),
    read: (name) => fs.readFileSync(file(name), 'utf8').trim(),
    mount({ environment = {}, ...service }) {
      const folder = path.join(made.folder, secretsMountOf(service)?.source ?? '');
      const here = (value: string) => (value.startsWith(MOUNT) ? path.join(folder, value.slice(MOUNT.length)) : value);
      return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]));
    },
    remove: made.remove,
  };
}

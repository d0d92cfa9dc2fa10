import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../../system/processes/run-command.mjs';

/** Settings of the kernel that the kubelet makes sure of, as it wants them: they are those of the whole machine, not of a namespace. */
const WANTED = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

/**
 * Has the mount namespace of this process keep what a node would change on the machine: files of /var, and settings of the kernel, which it
 * finds as it wants them.
 */
export async function keepChanges(folder: string): Promise<void> {
  const inFolder = (name: string) => path.join(folder, name);
  for (const name of ['var', 'var-work', 'settings']) fs.mkdirSync(inFolder(name));
  const layers = `lowerdir=/var,upperdir=${inFolder('var')},workdir=${inFolder('var-work')}`;
  await runCommand('mount', ['-t', 'overlay', '-o', layers, 'overlay', '/var']);
  for (const [name, value] of Object.entries(WANTED)) {
    const file = path.join(inFolder('settings'), name.replaceAll('/', '.'));
    fs.writeFileSync(file, `${value}\n`);
    await runCommand('mount', ['--bind', file, path.join('/proc/sys', name)]);
  }
}

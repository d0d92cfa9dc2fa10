import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tryLock } from './file-lock.mjs';
import { PRODUCT } from './paths.mjs';
import { canReach, databaseUser } from './unprivileged-user.ts';

const LOCK = 'in-use.lock';

export interface TemporaryFolder {
  /** The database's user can walk to it. */
  folder: string;
  remove: () => void;
}

/** Makes a folder for temporary data, and removes those of killed runs. */
export function temporaryFolder(): TemporaryFolder {
  const user = databaseUser();
  const base = [os.tmpdir(), '/tmp', '/var/tmp'].find((each) => canReach(each, user)) ?? os.tmpdir();
  removeAbandoned(base);
  const folder = fs.mkdtempSync(path.join(base, `${PRODUCT}-`));
  fs.chmodSync(folder, 0o711);
  tryLock(path.join(folder, LOCK));
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

function removeAbandoned(base: string) {
  const names = fs.readdirSync(base).filter((name) => name.startsWith(`${PRODUCT}-`));
  for (const folder of names.map((name) => path.join(base, name))) {
    if (isOurs(folder) && 'release' in tryLock(path.join(folder, LOCK)))
      fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder without a lock may have just been made; another user's cannot be removed. */
function isOurs(folder: string) {
  const stat = fs.statSync(path.join(folder, LOCK), { throwIfNoEntry: false });
  return stat !== undefined && (process.getuid === undefined || stat.uid === process.getuid());
}

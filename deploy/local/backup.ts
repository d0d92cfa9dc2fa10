import path from 'node:path';
import { tryLock } from '../system/files/file-lock.mjs';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { backUpEngine, restoreEngine } from './engine/backup.ts';
import { databasePassword } from './stack/secrets.ts';

// A backup of the offline engine of `npm start`: `npm run backup -- FOLDER` while it runs, `npm run restore -- FOLDER` while it does not.
const dataDir = path.resolve(ROOT, process.env.DATA_DIR || path.join(LOCAL, 'data'));
const [what, folder] = process.argv.slice(2);
try {
  if (!folder || (what !== 'backup' && what !== 'restore')) throw new Error('Name the folder of the backup.');
  const at = path.resolve(process.env.INIT_CWD ?? '.', folder);
  const password = databasePassword(path.join(LOCAL, 'secrets.json'));
  console.log(JSON.stringify(what === 'backup' ? await backUpEngine(dataDir, password, at) : restore(at)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function restore(at: string) {
  const lock = tryLock(path.join(LOCAL, 'stack.lock'));
  if ('heldBy' in lock)
    throw new Error(`The stack is running (pid ${lock.heldBy}). Stop it with Ctrl-C where it runs.`);
  try {
    return { restored: at, former: restoreEngine(dataDir, at) };
  } finally {
    lock.release();
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { engineFolder } from '../../system/files/folders.ts';
import { databaseUser, giveTo } from '../../system/files/unprivileged-user.ts';
import { runCommand } from '../../system/processes/run-command.mjs';
import { ENGINE_VERSION, enginePaths, installedPaths } from './engine-paths.ts';

/** What a backup reaches: all that was acknowledged before `from`, some of what was meanwhile, nothing of what came after `until`. */
export interface BackupReach {
  from: string;
  until: string;
}

const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres/cluster');

/** The port is on the fourth line of the file that a running PostgreSQL keeps. */
function portOf(cluster: string): string {
  const file = path.join(cluster, 'postmaster.pid');
  const port = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n')[3] : undefined;
  if (!port) throw new Error(`the offline engine is not running on ${cluster}`);
  return port.trim();
}

/**
 * Copies the databases of a running offline engine, in use or not, into a new folder: PostgreSQL's own base backup, which is as the
 * database was at the end of the copy.
 */
export async function backUpEngine(dataDir: string, password: string, folder: string): Promise<BackupReach> {
  const paths = installedPaths(enginePaths(engineFolder(ENGINE_VERSION, databaseUser())));
  const port = portOf(clusterOf(dataDir));
  const from = new Date().toISOString();
  const program = path.join(paths.postgresBin, 'pg_basebackup');
  const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres'];
  const env = { ...process.env, PGPASSWORD: password, LC_ALL: 'C' };
  const args = ['--library-path', `${paths.postgresLib}:${paths.libraries}`, program, ...connection];
  await runCommand(paths.loader, [...args, '-D', path.resolve(folder), '--checkpoint=fast'], { env });
  return { from, until: new Date().toISOString() };
}

/** Puts a backup in the place of the databases of an offline engine that does not run; these stay beside it, in the folder that is returned. */
export function restoreEngine(dataDir: string, folder: string): string {
  const cluster = clusterOf(dataDir);
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) throw new Error(`${folder} holds no backup`);
  const [unfinished, former] = [`${cluster}.unfinished`, `${cluster}.before-${Date.now()}`];
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(unfinished, 0o700);
  giveTo(unfinished, databaseUser());
  if (fs.existsSync(cluster)) fs.renameSync(cluster, former);
  fs.renameSync(unfinished, cluster);
  return former;
}

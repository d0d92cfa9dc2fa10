import fs from 'node:fs';
import path from 'node:path';
import { type DatabaseUser, giveTo } from '../../system/files/unprivileged-user.ts';
import { runCommand } from '../../system/processes/run-command.mjs';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';
import type { InstalledPaths } from './engine-paths.ts';
import { endOrphan } from './postmaster-pid.ts';

/** Settings of a cluster under FerretDB. */
export const SETTINGS = {
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb_extended_rum,pg_documentdb',
  'documentdb.alternate_index_handler_name': 'extended_rum',
  'documentdb.enableOrderByIdOnCostFunction': 'on',
  'cron.database_name': 'postgres',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
  max_connections: '100',
  jit: 'off',
  default_toast_compression: 'lz4',
  // PostgreSQL logs an index entry as such. By default, it compares the whole page with its former content.
  'documentdb_rum.enable_custom_xlog_rmgr': 'on',
  'documentdb_rum.enable_xlog_insert_entry': 'on',
  // A page of an index is split where it is full, not where it is half full.
  'documentdb_rum.rum_default_page_fill_factor': '90',
  // A search marks the entries of removed rows that it meets, so that the sweeps of each second do not meet them again.
  'documentdb_rum.enable_support_dead_index_items': 'on',
  // Notes once in an index that it has arrays. By default each document with an array adds an entry that says so, under one key.
  'documentdb.enableIndexMetadataGlobalTracking': 'on',
  // Statistics of 3,000 rows of each collection in place of 30,000: each of them is decompressed.
  default_statistics_target: '10',
};
// These settings guard against a crash of the machine. Without them a commit costs a third less.
const FOR_TESTS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'cron.launch_active_jobs=off'];
/** The query that adds what FerretDB needs to a database. */
export const EXTENSIONS =
  'create extension if not exists documentdb cascade; create extension if not exists documentdb_extended_rum cascade';

export interface ClusterOptions {
  paths: InstalledPaths;
  /** The folder of the cluster; its parent belongs to `user`. */
  folder: string;
  /** The user that runs PostgreSQL; null for the current one. */
  user: DatabaseUser | null;
  /** The password of the database user `postgres`. */
  password: string;
}

/**
 * Makes the folder of a new PostgreSQL cluster; an existing complete one is left as it is.
 * @throws when an existing one is of another major version, or asks for no password.
 */
export async function createCluster({ paths, folder, user, password }: ClusterOptions) {
  if (isMade(folder, paths.postgres)) return;
  const unfinished = `${folder}.unfinished`;
  const passwordFile = `${folder}.password`;
  for (const each of [unfinished, passwordFile]) fs.rmSync(each, { recursive: true, force: true });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(passwordFile, user);
  const args = [
    '-D',
    unfinished,
    '-E',
    'UTF8',
    '--locale=C',
    '-A',
    'scram-sha-256',
    '-U',
    'postgres',
    '--pwfile',
    passwordFile,
    '--no-instructions',
    '--no-sync',
  ];
  await runCommand(path.join(paths.postgresBin, 'initdb'), args, {
    ...user,
    env: environment(),
    cwd: path.dirname(folder),
  }).finally(() => fs.rmSync(passwordFile));
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name} = '${value}'\n`);
  fs.appendFileSync(path.join(unfinished, 'postgresql.conf'), lines.join(''));
  fs.renameSync(unfinished, folder);
}

/** PostgreSQL reads the clusters of its own major version only. One that was made without a password is not used. */
function isMade(folder: string, version: string) {
  const file = path.join(folder, 'PG_VERSION');
  if (!fs.existsSync(file)) return false;
  const made = fs.readFileSync(file, 'utf8').trim();
  if (made !== version)
    throw new Error(
      `the data in ${folder} are of PostgreSQL ${made}, this is ${version}: move them away, or set DATA_DIR`,
    );
  if (!/\btrust$/m.test(fs.readFileSync(path.join(folder, 'pg_hba.conf'), 'utf8'))) return true;
  const advice = `remove them (rm -r ${path.dirname(folder)}), or set DATA_DIR`;
  throw new Error(`the data in ${folder} are of a database that asks for no password: ${advice}`);
}

interface PostgresOptions extends ClusterOptions {
  /** The port on 127.0.0.1. */
  port: number;
  /** Whether a commit waits for the disk. */
  syncsToDisk: boolean;
}

/** Describes the PostgreSQL process to a supervisor; ready means that the extensions are there too. */
export function postgresProcess(options: PostgresOptions): ProcessDescription {
  const { paths, folder, user, password, port, syncsToDisk } = options;
  const query = (sql: string) => psql(options, sql);
  return {
    name: 'postgres',
    command: path.join(paths.postgresBin, 'postgres'),
    args: ['-D', folder, '-p', String(port), ...(syncsToDisk ? [] : FOR_TESTS)],
    // The extensions connect to PostgreSQL as clients do, for example to build indexes.
    env: { ...environment(), PGPASSWORD: password },
    cwd: path.dirname(folder),
    ...user,
    // SIGTERM waits for every client to disconnect; SIGINT ends the connections and still flushes all data.
    stopSignal: 'SIGINT',
    beforeStart: () => endOrphan(folder),
    isReady: async () => {
      await query('select 1');
      await query(EXTENSIONS);
      return true;
    },
  };
}

function psql({ paths, folder, user, port, password }: PostgresOptions, sql: string) {
  const args = ['-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-c', sql];
  return runCommand(path.join(paths.postgresBin, 'psql'), args, {
    ...user,
    cwd: path.dirname(folder),
    env: { ...environment(), PGPASSWORD: password },
  });
}

/** Settings of the user's own PostgreSQL (PGDATA, PGOPTIONS, …) must not reach ours; undefined removes a variable. */
function environment() {
  const own = Object.keys(process.env).filter((name) => name.startsWith('PG'));
  return { ...process.env, ...Object.fromEntries(own.map((name) => [name, undefined])), LC_ALL: 'C', TZ: 'UTC' };
}

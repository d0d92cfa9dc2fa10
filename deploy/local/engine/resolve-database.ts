import crypto from 'node:crypto';
import path from 'node:path';
import { findOnPath } from '../../system/files/find-on-path.mjs';
import { freePort } from '../../system/processes/ports.ts';
import type { Supervisor } from '../../system/processes/supervisor.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { installEngine } from './install-engine.ts';
import { downloadMongod, isDownloadable, startMongod } from './mongod.ts';
import { startOfflineEngine } from './offline-engine.ts';

export interface ResolveDatabaseOptions {
  /** The folder for the data of a server that is started; the data persists across restarts. */
  dataDir: string;
  /** Reports the progress in sentences. */
  log: (line: string) => void;
  /** The port on 127.0.0.1 of a server that is started; by default any free one. */
  port?: number | undefined;
  /** The password of a server that is started; by default a new one. */
  password?: string | undefined;
  /** The default is a supervisor with logs in `logs` below `dataDir`. */
  supervisor?: Supervisor | undefined;
  /** Whether the offline engine waits for the disk at each commit; true by default. */
  syncsToDisk?: boolean | undefined;
}

/**
 * Finds or starts a database that speaks MongoDB's protocol. In order: `MONGODB_URI`; a `mongod` on PATH; MongoDB's own
 * download; the offline engine.
 * @returns `uri` holds the password; `how` is the chosen one and the reason.
 * @throws when none of them is available, with the reason for each.
 */
export async function resolveDatabase({
  dataDir,
  log,
  port,
  password,
  supervisor,
  syncsToDisk = true,
}: ResolveDatabaseOptions): Promise<{ uri: string; how: string; stop: () => Promise<void> }> {
  const { MONGODB_URI: given } = process.env;
  if (given) {
    const how = 'the one that MONGODB_URI names';
    log(`database: ${how}`);
    return { uri: given, how, stop: async () => {} };
  }
  const options = {
    log,
    dataDir: path.resolve(dataDir),
    port: port ?? (await freePort()),
    password: password ?? crypto.randomBytes(32).toString('base64url'),
    supervisor: supervisor ?? createSupervisor({ logFolder: path.join(dataDir, 'logs'), log }),
    syncsToDisk,
  };
  const { uri, names, how } = await start(options);
  log(`database: ${how}`);
  return { uri, how, stop: () => options.supervisor.stop(names) };
}

type ServerOptions = { [name in keyof ResolveDatabaseOptions]-?: Exclude<ResolveDatabaseOptions[name], undefined> };

/**
 * Performs the slow part of `resolveDatabase` beforehand: it installs the offline engine if that is going to be used.
 * @throws when no database is available.
 */
export async function prepareDatabase({ log }: { log: (line: string) => void }) {
  if (process.env.MONGODB_URI || findOnPath('mongod') || (await isDownloadable())) return;
  await installEngine({ log }).catch((error) => noDatabase('MongoDB cannot be downloaded', error));
}

async function start(options: ServerOptions) {
  const onPath = findOnPath('mongod');
  if (onPath) return { ...(await startMongod({ ...options, command: onPath })), how: `the mongod on PATH (${onPath})` };
  const download = await downloadMongod(options.log);
  if ('command' in download) {
    return {
      ...(await startMongod({ ...options, command: download.command })),
      how: 'MongoDB, downloaded: no mongod on PATH',
    };
  }
  const engine = await startOfflineEngine(options).catch((error) => noDatabase(download.unavailable, error));
  const why = `MONGODB_URI is not set, no mongod is on PATH, ${download.unavailable}`;
  return { ...engine, how: `the offline engine, FerretDB over PostgreSQL: ${why}` };
}

function noDatabase(unavailable: string, error: Error): never {
  const why = `MONGODB_URI is not set, no mongod is on PATH, ${unavailable}, and the offline engine says: ${error.message}`;
  const advice = 'Set MONGODB_URI to a MongoDB 7 or later, or put mongod on PATH.';
  throw new Error(`There is no database: ${why}\n${advice}`, { cause: error });
}

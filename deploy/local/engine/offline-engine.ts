import fs from 'node:fs';
import path from 'node:path';
import { dataFolder } from '../../system/files/folders.ts';
import { databaseUser, giveTo } from '../../system/files/unprivileged-user.ts';
import { freePort } from '../../system/processes/ports.ts';
import type { Supervisor } from '../../system/processes/supervisor.ts';
import { ferretdbProcess } from './ferretdb.ts';
import { installEngine } from './install-engine.ts';
import { createCluster, postgresProcess } from './postgres.ts';

export interface StartOfflineEngineOptions {
  /** The folder `postgres` below it contains the cluster. */
  dataDir: string;
  /** The port for MongoDB's protocol on 127.0.0.1. */
  port: number;
  supervisor: Supervisor;
  log: (line: string) => void;
  /** Whether PostgreSQL waits for the disk at each commit. */
  syncsToDisk: boolean;
  /** The password that clients must send. */
  password: string;
}

/**
 * Starts FerretDB over PostgreSQL on a data folder, setting the engine up first where that has not been done.
 * @returns the address, and the names of the processes.
 * @throws a sentence saying what is missing.
 */
export async function startOfflineEngine({
  dataDir,
  port,
  supervisor,
  log,
  syncsToDisk,
  password,
}: StartOfflineEngineOptions): Promise<{ uri: string; names: string[] }> {
  const paths = await installEngine({ log });
  const user = databaseUser();
  const home = dataFolder(path.join(dataDir, 'postgres'), user);
  const cluster = path.join(home, 'cluster');
  const state = path.join(home, 'ferretdb');
  if (!fs.existsSync(state)) fs.mkdirSync(state, { mode: 0o700 });
  giveTo(state, user);
  await createCluster({ paths, folder: cluster, user, password });
  const postgresPort = await freePort();
  await supervisor.launch(postgresProcess({ paths, folder: cluster, user, password, port: postgresPort, syncsToDisk }));
  await supervisor.launch(ferretdbProcess({ paths, folder: state, user, password, port, postgresPort }));
  // The engine has no transaction numbers, so a driver cannot retry writes.
  const uri = `mongodb://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/?retryWrites=false`;
  return { uri, names: ['postgres', 'ferretdb'] };
}

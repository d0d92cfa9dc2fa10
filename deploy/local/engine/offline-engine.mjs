import fs from 'node:fs';
import path from 'node:path';
import { dataFolder } from '../../system/folders.mjs';
import { freePort } from '../../system/ports.mjs';
import { databaseUser, giveTo } from '../../system/unprivileged-user.mjs';
import { ferretdbProcess } from './ferretdb.mjs';
import { installEngine } from './install-engine.mjs';
import { createCluster, postgresProcess } from './postgres.mjs';

/**
 * Starts FerretDB over PostgreSQL on a data folder, setting the engine up first where that has not been done.
 * @param {object} options
 * @param {string} options.dataDir the cluster goes into `postgres` below it.
 * @param {number} options.port of MongoDB's protocol, on 127.0.0.1.
 * @param {import('../../system/supervisor.mjs').Supervisor} options.supervisor of `createSupervisor`; it gets the processes `postgres` and `ferretdb`.
 * @param {(line: string) => void} options.log
 * @returns {Promise<{uri: string, names: string[]}>} the address, and the names of the processes.
 * @throws {Error} a sentence saying what is missing.
 */
export async function startOfflineEngine({ dataDir, port, supervisor, log }) {
  const paths = await installEngine({ log });
  const user = databaseUser();
  const home = dataFolder(path.join(dataDir, 'postgres'), user);
  const cluster = path.join(home, 'cluster');
  const state = path.join(home, 'ferretdb');
  if (!fs.existsSync(state)) fs.mkdirSync(state, { mode: 0o700 });
  giveTo(state, user);
  await createCluster({ paths, folder: cluster, user });
  const postgresPort = await freePort();
  await supervisor.launch(postgresProcess({ paths, folder: cluster, user, port: postgresPort }));
  await supervisor.launch(ferretdbProcess({ paths, folder: state, user, port, postgresPort }));
  // It has no transaction numbers, so a driver cannot retry writes.
  return { uri: `mongodb://127.0.0.1:${port}/?retryWrites=false`, names: ['postgres', 'ferretdb'] };
}

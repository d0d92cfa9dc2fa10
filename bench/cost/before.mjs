import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeStreams } from '../../deploy/bus/make-streams.ts';
import { startNats } from '../../deploy/bus/nats.ts';
import { freePort } from '../../deploy/system/ports.ts';
import { BenchDatabase } from '../booking/database.mjs';
import { HIGHEST } from '../booking/stack.mjs';

const PREFIX = 'before-';

/** @import { Run } from '../run.mjs' */
/** @import { Stack } from '../booking/stack.mjs' */

/**
 * Starts the product of another checkout, which must be built: on the same database server in databases of its own, and on
 * a NATS server of its own. Its processes are named as ours with `before-` in front.
 * @param {Run} run
 * @param {string} checkout its folder.
 * @returns {Promise<Omit<Stack, 'counter'> & {processes: () => {name: string, pid: number}[]}>} the names without `before-`.
 * @throws {Error} when it is not built.
 */
export async function startBefore(run, checkout) {
  if (!fs.existsSync(path.join(checkout, 'gateway/dist/main.js'))) throw new Error(`${checkout} is not built`);
  const load = (name) => {
    // The scripts of former commits are JavaScript.
    const [file] = [`${name}.ts`, `${name}.mjs`].filter((each) => fs.existsSync(path.join(checkout, each)));
    return import(pathToFileURL(path.join(checkout, file)).href);
  };
  const { SERVICES, serviceProcess, gatewayProcess } = await load('deploy/local/product-processes');
  const { seedDemo } = await load('deploy/local/demo');
  const supervisor = { launch: (each) => run.supervisor.launch({ ...each, name: PREFIX + each.name }) };
  const nats = await startNats({ dataDir: path.join(run.folder, 'before'), supervisor });
  await makeStreams(nats.url);
  const env = { ...run.env, ...HIGHEST, NATS_URL: nats.url, DATABASE_PREFIX: `${run.env.DATABASE_PREFIX}_before` };
  const database = new BenchDatabase(env);
  run.atEnd(() => database.removeAll());
  const port = await freePort();
  const described = [...SERVICES.map((name) => serviceProcess(name, env)), gatewayProcess(port, env)];
  await Promise.all((await Promise.all(described)).map((each) => supervisor.launch(each)));
  const origin = `http://127.0.0.1:${port}`;
  let seeding;
  return { origin, env, database, demo, processes };

  async function demo() {
    seeding ??= seedDemo({ origin, env, log: run.log });
    return (await seeding).demo;
  }

  function processes() {
    const ours = run.supervisor.processes().filter(({ name }) => name.startsWith(PREFIX));
    return ours.map(({ name, pid }) => ({ name: name.slice(PREFIX.length), pid }));
  }
}

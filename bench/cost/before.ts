import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startNats } from '../../deploy/bus/nats.ts';
import type { Demo } from '../../deploy/local/demo.ts';
import { freePort } from '../../deploy/system/ports.ts';
import type { RunningProcess, Supervisor } from '../../deploy/system/supervisor.ts';
import { BenchDatabase } from '../booking/database.ts';
import type { Run } from '../booking/stack.ts';
import { HIGHEST, quietnessOf, type Stack } from '../booking/stack.ts';

const PREFIX = 'before-';

/**
 * Starts the product of another checkout, which must be built: on the same database server in databases of its own, and on
 * a NATS server of its own. Its processes are named as ours with `before-` in front.
 * @param checkout - its folder.
 * @returns the names without `before-`.
 * @throws when it is not built.
 */
export async function startBefore(
  run: Run,
  checkout: string,
): Promise<Omit<Stack, 'counter'> & { processes: () => RunningProcess[] }> {
  if (!fs.existsSync(path.join(checkout, 'gateway/dist/main.js'))) throw new Error(`${checkout} is not built`);
  // The scripts of former commits are JavaScript.
  const find = (name: string) =>
    [`${name}.ts`, `${name}.mjs`].map((each) => path.join(checkout, each)).find((file) => fs.existsSync(file));
  const load = (name: string) => import(pathToFileURL(find(name)!).href);
  const { SERVICES, serviceProcess, gatewayProcess } = await load('deploy/local/product-processes');
  const { seedDemo } = await load('deploy/local/demo');
  const supervisor: Supervisor = {
    ...run.supervisor,
    launch: (each) => run.supervisor.launch({ ...each, name: PREFIX + each.name }),
  };
  const nats = await startNats({ dataDir: path.join(run.folder, 'before'), supervisor });
  // Processes of former commits make their streams themselves, with other settings.
  const streams = 'deploy/bus/make-streams';
  if (find(streams)) await (await load(streams)).makeStreams(nats.url);
  const env = { ...run.env, ...HIGHEST, NATS_URL: nats.url, DATABASE_PREFIX: `${run.env.DATABASE_PREFIX}_before` };
  const database = new BenchDatabase(env);
  run.atEnd(() => database.removeAll());
  const port = await freePort();
  const described = [...SERVICES.map((name: string) => serviceProcess(name, env)), gatewayProcess(port, env)];
  await Promise.all((await Promise.all(described)).map((each) => supervisor.launch(each)));
  const origin = `http://127.0.0.1:${port}`;
  let seeding: Promise<{ demo: Demo }> | undefined;
  return { origin, env, database, isQuiet: quietnessOf(run, env, database), demo, processes };

  async function demo() {
    seeding ??= seedDemo({ origin, env, log: run.log });
    return (await seeding!).demo;
  }

  function processes() {
    const ours = run.supervisor.processes().filter(({ name }) => name.startsWith(PREFIX));
    return ours.map(({ name, pid }) => ({ name: name.slice(PREFIX.length), pid }));
  }
}

import { seedDemo } from '../../deploy/local/demo.ts';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/product-processes.ts';
import { freePort } from '../../deploy/system/ports.ts';
import { countCommands } from './command-counter.mjs';
import { BenchDatabase } from './database.mjs';

/** @import { Run } from '../run.mjs' */

/**
 * The whole product, running. All measurements of a run share it; each makes instructors and members of its own.
 * @typedef {object} Stack
 * @property {string} origin where the API is.
 * @property {Record<string, string>} env of the services.
 * @property {BenchDatabase} database removed when the run is over.
 * @property {Awaited<ReturnType<typeof countCommands>>|null} counter of the commands that reach the database; null without `isCounted`.
 * @property {() => Promise<object>} demo answers the content of demo.json; its accounts are made when it is first called.
 */

// The highest limits that the gateway accepts; the minute's is far below the hour's, so that both are counted together.
export const HIGHEST = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/** The processes of the product. */
export const PROCESSES = ['gateway', ...SERVICES];

/**
 * Starts the whole product: five services and the gateway.
 * @param {Omit<Run, 'stack'>} run
 * @param {{isCounted: boolean}} options whether the processes reach the database through a counter, which takes time.
 * @returns {Promise<Stack>}
 */
export async function startStack(run, { isCounted }) {
  const counter = isCounted ? await countCommands(run.env.MONGODB_URI) : null;
  const env = { ...run.env, ...HIGHEST, ...(counter && { MONGODB_URI: counter.uri }) };
  const port = await freePort();
  const database = new BenchDatabase(run.env);
  run.atEnd(() => database.removeAll());
  await launch(run, port, env);
  const origin = `http://127.0.0.1:${port}`;
  let seeding;
  return { origin, env, database, counter, demo };

  async function demo() {
    seeding ??= seedDemo({ origin, env, log: run.log });
    return (await seeding).demo;
  }
}

/**
 * Starts the processes of a stack again so that they reach the database through a counter.
 * @param {Omit<Run, 'stack'>} run
 * @param {Stack} stack
 * @returns {Promise<Stack>} the same origin and data.
 */
export async function countStack(run, stack) {
  if (stack.counter) return stack;
  const counter = await countCommands(run.env.MONGODB_URI);
  const env = { ...stack.env, MONGODB_URI: counter.uri };
  await restartStack(run, { ...stack, env });
  return { ...stack, env, counter };
}

/**
 * Ends the processes of a stack and starts them again, on the same port.
 * @param {Omit<Run, 'stack'>} run
 * @param {Stack} stack
 * @param {(name: string) => string[]} [nodeArguments] more arguments of node for a process.
 */
export async function restartStack(run, { origin, env }, nodeArguments) {
  await run.supervisor.stop(PROCESSES);
  await launch(run, Number(new URL(origin).port), env, nodeArguments);
}

async function launch({ supervisor }, port, env, nodeArguments = () => []) {
  const described = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, env)),
    gatewayProcess(port, env),
  ]);
  const processes = described.map((each) => ({ ...each, args: [...nodeArguments(each.name), ...each.args] }));
  const launched = await Promise.allSettled(processes.map((each) => supervisor.launch(each)));
  const failed = launched.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

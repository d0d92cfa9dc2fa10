import { type Demo, seedDemo } from '../../deploy/local/demo.ts';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/product-processes.ts';
import { freePort } from '../../deploy/system/ports.ts';
import type { RunEnvironment } from '../measuring/run-environment.ts';
import { countCommands } from './command-counter.ts';
import { BenchDatabase } from './database.ts';
import { EventConsumers } from './event-consumers.ts';

/** The whole product, running. All measurements of a run share it; each makes instructors and members of its own. */
export interface Stack {
  /** Where the API is. */
  origin: string;
  /** Of the services. */
  env: Record<string, string>;
  /** Removed when the run is over. */
  database: BenchDatabase;
  /** Whether the background work of all requests is done. */
  isQuiet: () => Promise<boolean>;
  /** Of the commands that reach the database; null without `isCounted`. */
  counter: Awaited<ReturnType<typeof countCommands>> | null;
  /** Answers the content of demo.json; its accounts are made when it is first called. */
  demo: () => Promise<Demo>;
}

/** The input of a measurement. */
export interface Run extends RunEnvironment {
  /** The running product, which all measurements of the run share; it is started when one asks for it first. */
  stack: () => Promise<Stack>;
}

// The highest limits that the gateway accepts; the minute's is far below the hour's, so that both are counted together.
export const HIGHEST = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/** The processes of the product. */
export const PROCESSES: string[] = ['gateway', ...SERVICES];

/**
 * Starts the whole product: five services and the gateway.
 * @param options - whether the processes reach the database through a counter, which takes time.
 */
export async function startStack(run: RunEnvironment, { isCounted }: { isCounted: boolean }): Promise<Stack> {
  const counter = isCounted ? await countCommands(run.env.MONGODB_URI ?? '') : null;
  const env = { ...run.env, ...HIGHEST, ...(counter && { MONGODB_URI: counter.uri }) };
  const port = await freePort();
  const database = new BenchDatabase(run.env);
  run.atEnd(() => database.removeAll());
  await launch(run, port, env);
  const origin = `http://127.0.0.1:${port}`;
  let seeding: ReturnType<typeof seedDemo> | undefined;
  return { origin, env, database, isQuiet: quietnessOf(run, env, database), counter, demo };

  async function demo() {
    seeding ??= seedDemo({ origin, env, log: run.log });
    return (await seeding).demo;
  }
}

/** @returns what answers whether the services of a stack have done all background work. */
export function quietnessOf(run: RunEnvironment, env: Record<string, string>, database: BenchDatabase) {
  const consumers = new EventConsumers(env);
  run.atEnd(() => consumers.close());
  return async () => (await database.isSettled()) && consumers.areIdle();
}

/**
 * Starts the processes of a stack again so that they reach the database through a counter.
 * @returns the same origin and data.
 */
export async function countStack(run: RunEnvironment, stack: Stack): Promise<Stack> {
  if (stack.counter) return stack;
  const counter = await countCommands(run.env.MONGODB_URI ?? '');
  const env = { ...stack.env, MONGODB_URI: counter.uri };
  await restartStack(run, { ...stack, env });
  return { ...stack, env, counter };
}

/**
 * Ends the processes of a stack and starts them again, on the same port.
 * @param nodeArguments - more arguments of node for a process.
 */
export async function restartStack(
  run: RunEnvironment,
  { origin, env }: Stack,
  nodeArguments?: (name: string) => string[],
) {
  await run.supervisor.stop(PROCESSES);
  await launch(run, Number(new URL(origin).port), env, nodeArguments);
}

async function launch(
  { supervisor }: Pick<RunEnvironment, 'supervisor'>,
  port: number,
  env: Record<string, string>,
  nodeArguments: (name: string) => string[] = () => [],
) {
  const described = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, env)),
    gatewayProcess(port, env),
  ]);
  const processes = described.map((each) => ({ ...each, args: [...nodeArguments(each.name), ...(each.args ?? [])] }));
  const launched = await Promise.allSettled(processes.map((each) => supervisor.launch(each)));
  const failed = launched.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

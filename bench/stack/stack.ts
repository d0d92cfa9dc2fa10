import { type Demo, seedDemo } from '../../deploy/local/demo/demo.ts';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/stack/product-processes.ts';
import { freePort } from '../../deploy/system/processes/ports.ts';
import type { RunningProcess, Supervisor } from '../../deploy/system/processes/supervisor.ts';
import { countCommands } from './command-counter.ts';
import { BenchDatabase } from './database.ts';

/** The input of a measurement. */
export interface Run {
  /** Its processes are ended after the run. */
  supervisor: Supervisor;
  /** Environment of every process. */
  env: Record<string, string>;
  /** For files, removed when the run is over. */
  folder: string;
  /** Whether to check only that every measurement works, within seconds. */
  isShort: boolean;
  /** What goes on, for a person. */
  log: (line: string) => void;
  /** Has something done once the processes are ended. */
  atEnd: (work: () => Promise<void>) => void;
  /**
   * The running product, which all measurements of the run share.
   * @param isCounted - whether it reaches the database through a counter of commands, which takes time.
   */
  stack: (isCounted?: boolean) => Promise<Stack>;
}

/** The whole product, running. */
export interface Stack {
  /** Where the API is. */
  origin: string;
  /** Environment of the services. */
  env: Record<string, string>;
  database: BenchDatabase;
  /** Counter of the commands that reach the database; null without `isCounted`. */
  counter: Awaited<ReturnType<typeof countCommands>> | null;
  /** Answers the content of demo.json; its accounts are made when it is first called. */
  demo: () => Promise<Demo>;
}

// The highest limits that the gateway accepts; the minute's is far below the hour's, so that both are counted together.
export const HIGHEST_LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/** The processes of the product. */
export const PROCESSES: string[] = ['gateway', ...SERVICES];

/** @returns what starts the product when a measurement asks for it first, and again when one asks with or without a counter. */
export function sharedStack(run: Omit<Run, 'stack'>): Run['stack'] {
  let stack: Stack | undefined;
  return async (isCounted = false) => {
    if (stack && Boolean(stack.counter) === isCounted) return stack;
    const { origin, database, demo } = stack ?? (await prepareStack(run));
    const counter = isCounted ? await countCommands(run.env.MONGODB_URI!) : null;
    const env = { ...run.env, ...HIGHEST_LIMITS, ...(counter && { MONGODB_URI: counter.uri }) };
    await run.supervisor.stop(PROCESSES);
    stack?.counter?.close();
    await launch(run.supervisor, Number(new URL(origin).port), env);
    stack = { origin, database, demo, env, counter };
    return stack;
  };
}

async function prepareStack({ env, log, atEnd }: Omit<Run, 'stack'>) {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const database = new BenchDatabase(env);
  atEnd(() => database.removeAll());
  let seeding: ReturnType<typeof seedDemo> | undefined;
  const demo = async () => {
    seeding ??= seedDemo({ origin, env, log });
    return (await seeding).demo;
  };
  return { origin, database, demo };
}

async function launch(supervisor: Supervisor, port: number, env: Record<string, string>) {
  const processes = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, env)),
    gatewayProcess(port, env),
  ]);
  const launched = await Promise.allSettled(processes.map((each) => supervisor.launch(each)));
  const failed = launched.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/** @returns those processes of a run that have these names. */
export const processesOf = ({ supervisor }: Pick<Run, 'supervisor'>, names: string[]): RunningProcess[] =>
  supervisor.processes().filter(({ name }) => names.includes(name));

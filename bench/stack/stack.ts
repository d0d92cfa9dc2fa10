import { type Demo, seedDemo } from '../../deploy/local/demo/demo.ts';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/stack/product-processes.ts';
import { freePort } from '../../deploy/system/processes/ports.ts';
import type { RunningProcess, Supervisor } from '../../deploy/system/processes/supervisor.ts';
import { countCommands } from './command-counter.ts';
import { BenchDatabase } from './database.ts';

export interface Run {
  /** The supervisor ends its processes after the run. */
  supervisor: Supervisor;
  /** The environment of every process. */
  env: Record<string, string>;
  /** A folder for files, which is removed when the run is over. */
  folder: string;
  /** In its short form, a run only checks within seconds that every measurement works. */
  isShort: boolean;
  /** Reports progress. */
  log: (line: string) => void;
  /** Registers work that runs when the processes have ended. */
  atEnd: (work: () => Promise<void>) => void;
  /**
   * Returns the running product, which all measurements of the run share.
   * @param isCounted - whether it reaches the database through a counter of commands, which takes time.
   */
  stack: (isCounted?: boolean) => Promise<Stack>;
}

export interface Stack {
  /** The origin of the API. */
  origin: string;
  /** The environment of the services. */
  env: Record<string, string>;
  database: BenchDatabase;
  /** The counter of the commands that reach the database; null without `isCounted`. */
  counter: Awaited<ReturnType<typeof countCommands>> | null;
  /** Returns the content of demo.json; the first call makes its accounts. */
  demo: () => Promise<Demo>;
}

// These are the highest limits that the gateway accepts. The limit per minute is far below the one per hour, so that
// both are counted together.
export const HIGHEST_LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

export const PROCESSES: string[] = ['gateway', ...SERVICES];

/**
 * Returns a function that starts the product for the first measurement, and again when one wants the other state of
 * `isCounted`.
 */
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

export const processesOf = ({ supervisor }: Pick<Run, 'supervisor'>, names: string[]): RunningProcess[] =>
  supervisor.processes().filter(({ name }) => names.includes(name));

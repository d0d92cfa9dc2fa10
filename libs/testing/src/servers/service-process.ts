import { type ChildProcess, fork } from 'node:child_process';
import { until } from '../waiting/until.js';

/** A service in a separate process, as in production. */
export interface ServiceProcess {
  readonly pid: number;
  /** Makes the process kill itself after the nth write from now; 0 cancels it (only with a crashing main). */
  crashAfterWrites(n: number): Promise<void>;
  /** Whether it has ended. */
  readonly ended: boolean;
  /** What it has printed, where `captures` was set. */
  output(): string;
  /** Resolves with its exit code when it has ended; null when a signal ended it. */
  exit(): Promise<number | null>;
  /** Sends the signal, and resolves as `exit` does. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

const healthy = (port: string) =>
  fetch(`http://127.0.0.1:${port}/health`)
    .then((response) => response.ok)
    .catch(() => false);

// Tests that are killed cannot end their child processes: these notice it themselves. And most processes are killed, before
// they could store the code that they have compiled for the next ones.
const IN_EACH = `import { flushCompileCache } from 'node:module';
process.on('disconnect', () => process.exit(1));
setTimeout(flushCompileCache, 5_000).unref();`;
const EXEC_ARGV = ['--import', `data:text/javascript,${encodeURIComponent(IN_EACH)}`];
// Many start concurrently, on machines that are busy with other tests.
const READY_WITHIN_MS = 180_000;

/** NODE_OPTIONS of a process with a wall clock off by `offsetMs`: it affects `Date`; the monotonic time is right. */
export function withClockOff(offsetMs: number): string {
  const script = `const Real = Date;
const now = () => Real.now() + ${offsetMs};
globalThis.Date = new Proxy(Real, {
  construct: (target, values, type) => Reflect.construct(target, values.length > 0 ? values : [now()], type),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});`;
  return `--import data:text/javascript,${encodeURIComponent(script)}`;
}

/**
 * Starts `main` with this environment and waits until it is ready. With `captures`, what it prints is kept instead of shown;
 * an error at its start has it.
 */
export async function startProcess(
  main: URL,
  env: Record<string, string>,
  { captures = false } = {},
): Promise<ServiceProcess> {
  const stdio = captures ? 'pipe' : 'inherit';
  const child: ChildProcess = fork(main, {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', stdio, stdio, 'ipc'],
    execArgv: EXEC_ARGV,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (output += bytes));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = async () => {
    if (!ended()) return healthy(env.HEALTH_PORT!);
    const code = (await closed) ?? child.signalCode;
    throw new Error([`${main.pathname} ended before it was ready (${code})`, output].join('\n').trim());
  };
  await until(ready, `${main.pathname} is ready`, READY_WITHIN_MS).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    pid: child.pid!,
    async crashAfterWrites(n) {
      const armed = new Promise((resolve) => child.once('message', resolve));
      child.send({ crashAfterWrites: n }, () => undefined);
      const isArmed = await Promise.race([armed.then(() => true), closed.then(() => false)]);
      if (!isArmed) throw new Error('The process has ended.');
    },
    get ended() {
      return ended();
    },
    output: () => output,
    exit: () => closed,
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return closed;
    },
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { until } from './until.js';

/** A service in a separate process, as in production. */
export interface ServiceProcess {
  readonly pid: number;
  /** Makes the process kill itself after the nth write from now; 0 cancels it (only with a crashing main). */
  crashAfterWrites(n: number): Promise<void>;
  /** Whether it has ended. */
  readonly ended: boolean;
  /** Resolves when it has ended. */
  exit(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const healthy = (port: string) =>
  fetch(`http://127.0.0.1:${port}/health`)
    .then((response) => response.ok)
    .catch(() => false);

// Tests that are killed cannot end their child processes: these notice it themselves.
const ENDS_WITH_ITS_PARENT = ['--import', 'data:text/javascript,process.on("disconnect",()=>process.exit(1))'];
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

/** Starts `main` with this environment and waits until it is ready. */
export async function startProcess(main: URL, env: Record<string, string>): Promise<ServiceProcess> {
  const child: ChildProcess = fork(main, {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ENDS_WITH_ITS_PARENT,
  });
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const exit = () =>
    ended() ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = async () => {
    if (ended()) throw new Error(`${main.pathname} ended before it was ready (${child.exitCode ?? child.signalCode})`);
    return healthy(env.HEALTH_PORT!);
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
      const isArmed = await Promise.race([armed.then(() => true), exit().then(() => false)]);
      if (!isArmed) throw new Error('The process has ended.');
    },
    get ended() {
      return ended();
    },
    exit,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await exit();
    },
  };
}

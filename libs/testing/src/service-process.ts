import { type ChildProcess, fork } from 'node:child_process';
import { until } from './until.js';

/** A service in a process of its own, as in production. */
export interface ServiceProcess {
  readonly pid: number;
  /** Has the process end itself after the nth write from now, or with 0 not any more (only when its main is a crashing one). */
  crashAfterWrites(n: number): Promise<void>;
  /** Whether it has ended. */
  readonly ended: boolean;
  /** Resolves when it has ended. */
  exit(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const healthy = (port: string) => fetch(`http://127.0.0.1:${port}/health`).then((response) => response.ok).catch(() => false);

/** Starts `main` with this environment and waits until it is ready. */
export async function startProcess(main: URL, env: Record<string, string>): Promise<ServiceProcess> {
  const child: ChildProcess = fork(main, { env: { ...process.env, ...env, NODE_OPTIONS: '' }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const exit = () => (ended() ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', () => resolve())));
  await until(async () => {
    if (ended()) throw new Error(`${main.pathname} ended before it was ready (${child.exitCode ?? child.signalCode})`);
    return healthy(env.HEALTH_PORT!);
  }, `${main.pathname} is ready`);
  return {
    pid: child.pid!,
    async crashAfterWrites(n) {
      const armed = new Promise((resolve) => child.once('message', resolve));
      child.send({ crashAfterWrites: n }, () => undefined);
      const told = await Promise.race([armed.then(() => true), exit().then(() => false)]);
      if (!told) throw new Error('The process has ended.');
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

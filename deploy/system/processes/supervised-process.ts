import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackOff } from './back-off.ts';
import { waitUntil } from './ports.ts';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const MAX_DEATHS = 5;

export interface ProcessDescription {
  name: string;
  command: string;
  args?: string[] | undefined;
  env?: Record<string, string | undefined> | undefined;
  cwd?: string | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  stopSignal?: NodeJS.Signals | undefined;
  stopWithinMs?: number | undefined;
  readyWithinMs?: number | undefined;
  /** Runs before every start of the process. */
  beforeStart?: (() => Promise<unknown>) | undefined;
  isReady?: (() => Promise<boolean>) | undefined;
}

interface Surroundings {
  logFolder: string;
  log: (line: string) => void;
  onChange: (name: string) => void;
}

/** A process that is restarted whenever it exits, until it is stopped. */
export class SupervisedProcess {
  readonly #options: ProcessDescription & Surroundings;
  readonly #logFile: string;
  #child: ChildProcess | null = null;
  #deaths = 0;
  #lastError: string | null = null;
  #isStopping = false;
  #restart: NodeJS.Timeout | undefined;
  #backOff = createBackOff();

  constructor(options: ProcessDescription & Surroundings) {
    this.#options = options;
    this.#logFile = openLog(options.logFolder, options.name);
  }

  /** The pid is null while the process does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Starts it for the first time; resolves once it is ready.
   * @throws when it dies five times before that, or `readyWithinMs` (60 s) pass; it is stopped then.
   */
  async start(): Promise<void> {
    const { name, isReady = async () => true, readyWithinMs = READY_WITHIN_MS } = this.#options;
    await this.#spawn();
    const isAbandoned = () => this.#isStopping || this.#deaths >= MAX_DEATHS;
    const check = async () => !isAbandoned() && this.pid !== null && (await isReady().catch(() => false));
    if (await waitUntil(check, readyWithinMs, isAbandoned)) return;
    if (this.#isStopping) throw new Error(`${name} was stopped before it was ready`);
    await this.stop();
    const what = this.#deaths ? `ended ${this.#deaths} times` : `was not ready within ${readyWithinMs / 1000} s`;
    throw new Error(`${name} ${what}. The end of ${this.#logFile}:\n${this.#lastError ?? tail(this.#logFile)}`);
  }

  /** Signals it to end, kills it after 10 s (`stopWithinMs`), and does not restart it. */
  async stop() {
    const { stopSignal = 'SIGTERM', stopWithinMs = STOP_WITHIN_MS } = this.#options;
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child?.pid) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(stopSignal);
    const timer = new AbortController();
    const late = sleep(stopWithinMs, 'late', { signal: timer.signal }).catch(() => {});
    if ((await Promise.race([ended, late])) === 'late') killGroup(child.pid);
    timer.abort();
    await ended;
  }

  async #spawn() {
    const { name, command, args = [], env = {}, cwd, uid, gid, beforeStart = async () => {}, onChange } = this.#options;
    const startedAt = Date.now();
    try {
      await beforeStart();
    } catch (error) {
      this.#lastError = (error as Error).message;
      return this.#died(this.#lastError, startedAt);
    }
    if (this.#isStopping) return;
    const output = fs.openSync(this.#logFile, 'a');
    const stdio: StdioOptions = ['ignore', output, output];
    const child = spawn(command, args, { cwd, uid, gid, env: { ...process.env, ...env }, detached: true, stdio });
    fs.closeSync(output);
    this.#child = child;
    this.#lastError = null;
    child.once('error', (error) => {
      this.#lastError = error.message;
      if (!child.pid) this.#died(`could not start: ${error.message}`, startedAt);
    });
    child.once('exit', (code, signal) =>
      this.#died(signal ? `was ended by ${signal}` : `ended with code ${code}`, startedAt),
    );
    if (child.pid) onChange(name);
  }

  #died(how: string, startedAt: number) {
    this.#child = null;
    if (this.#isStopping) return;
    const { waitMs, deaths } = this.#backOff.died(Date.now() - startedAt);
    this.#deaths = deaths;
    this.#options.log(`${this.#options.name} ${how}; it starts again in ${waitMs} ms (log: ${this.#logFile})`);
    this.#restart = setTimeout(() => void this.#spawn(), waitMs);
  }
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function openLog(folder: string, name: string) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.log`);
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.1`);
  fs.writeFileSync(file, '');
  return file;
}

function tail(file: string) {
  return fs.readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');
}

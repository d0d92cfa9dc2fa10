import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { formatApiKey, newId } from '@swim/platform';
import { gatewayProcess } from '../../deploy/local/stack/product-processes.ts';
import { nodeProgram } from '../../deploy/system/processes/node-program.mjs';
import { freePort } from '../../deploy/system/processes/ports.ts';
import type { ProcessDescription } from '../../deploy/system/processes/supervised-process.ts';
import type { BenchRequest, Subject } from '../measuring/load.ts';
import { HIGHEST_LIMITS, processesOf, type Run } from '../stack/stack.ts';
import { exampleSession } from './session.ts';

const SCOPES = ['sessions:write'];
const RESPONDER = fileURLToPath(new URL('./responder.ts', import.meta.url));
const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));
const ROUTING_ONLY = fileURLToPath(new URL('./routing-only.ts', import.meta.url));

/** Runs each side of the comparison as a process of its own on the same core, before the same responder. */
export class Sides {
  readonly #run: Run;
  readonly #env: Record<string, string>;
  readonly #request: BenchRequest;
  readonly #sessionId = newId('ses');
  readonly #core = lastOwnCore();
  readonly #started: string[] = [];

  constructor(run: Run) {
    const [accountId, keyId] = [newId('acct'), newId('key')];
    const principal = { accountId, kind: 'family', env: 'test', keyId, scopes: SCOPES };
    const example = { BENCH_PRINCIPAL: JSON.stringify(principal), BENCH_SESSION_ID: this.#sessionId };
    this.#run = run;
    this.#env = { ...run.env, ...HIGHEST_LIMITS, ...example };
    const headers = { authorization: `Bearer ${formatApiKey('test', keyId)}` };
    this.#request = { method: 'GET', path: `/v1/sessions/${this.#sessionId}`, headers };
  }

  /** Describes the core on which the sides run. */
  get where(): string {
    return this.#core === null
      ? 'without taskset the sides may use any core'
      : `the sides run on core ${this.#core} alone`;
  }

  async startResponder() {
    const args = [RESPONDER];
    await this.#launch({ name: 'responder', command: nodeProgram(), args, env: this.#env });
  }

  /** Ends all processes, so that a service of the product can serve sessions on the same bus. */
  async stop() {
    await this.#run.supervisor.stop(this.#started);
  }

  /** Starts the hand-written server. */
  async startFloor(): Promise<Subject> {
    const port = await freePort();
    const env = { ...this.#env, PORT: String(port) };
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}${this.#request.path}`)).ok;
    return this.#start({ name: 'floor', command: nodeProgram(), args: [FLOOR], env, isReady }, port);
  }

  /** Starts the unchanged gateway. */
  async startGateway(): Promise<Subject> {
    const port = await freePort();
    return this.#start({ ...(await gatewayProcess(port, this.#env)), name: 'all policies' }, port);
  }

  /**
   * Starts the gateway without logs and with the policies for authentication and rate limits replaced by ones that let
   * every request pass.
   */
  async startRouting(): Promise<Subject> {
    const port = await freePort();
    const gateway = await gatewayProcess(port, { ...this.#env, LOG_LEVEL: 'warn' });
    const args = ['--import', ROUTING_ONLY, ...(gateway.args ?? [])];
    const subject = await this.#start({ ...gateway, name: 'routing only', args }, port);
    const { headers } = await fetch(subject.origin + subject.request.path);
    if (headers.has('x-ratelimit-limit')) throw new Error('The gateway with routing only counts its requests.');
    return subject;
  }

  async #start(description: ProcessDescription, port: number) {
    const { name, command, args = [] } = description;
    const pinned = { command: 'taskset', args: ['--cpu-list', this.#core ?? '', command, ...args] };
    await this.#launch(this.#core === null ? description : { ...description, ...pinned });
    const processes = () => processesOf(this.#run, [name]);
    const subject = { name, origin: `http://127.0.0.1:${port}`, processes, request: this.#request };
    await this.#checkAnswer(subject);
    return subject;
  }

  async #launch(description: ProcessDescription) {
    this.#started.push(description.name);
    await this.#run.supervisor.launch(description);
  }

  /** The comparison is valid only when all sides return the same session. */
  async #checkAnswer({ name, origin, request }: Subject) {
    const response = await fetch(origin + request.path, { headers: request.headers });
    const { success, data } = (await response.json()) as { success?: boolean; data?: object };
    const isRight = success === true && JSON.stringify(data) === JSON.stringify(exampleSession(this.#sessionId));
    if (response.status !== 200 || !isRight) throw new Error(`${name} answered ${response.status} and not the session`);
  }
}

/** Returns the last core that this process may use, because the first core handles most interrupts. */
function lastOwnCore() {
  if (process.platform !== 'linux') return null;
  try {
    const text = execFileSync('taskset', ['--cpu-list', '--pid', String(process.pid)], { encoding: 'utf8' });
    return /(\d+)\s*$/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

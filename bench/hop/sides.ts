import { fileURLToPath } from 'node:url';
import { formatApiKey, newId } from '@swim/platform';
import { gatewayProcess } from '../../deploy/local/product-processes.ts';
import { nodeProgram } from '../../deploy/system/node-program.mjs';
import { freePort } from '../../deploy/system/ports.ts';
import type { ProcessDescription } from '../../deploy/system/supervised-process.ts';
import type { Supervisor } from '../../deploy/system/supervisor.ts';
import type { Run } from '../booking/stack.ts';
import type { BenchRequest, Subject } from '../measuring/load.ts';
import { createPinning } from '../measuring/pinning.ts';
import { exampleSession } from './session.ts';

const SCOPES = [
  'sessions:write',
  'instructors:write',
  'members:write',
  'bookings:write',
  'payments:write',
  'events:read',
];
// The highest limits that the gateway accepts; the minute's is far below the hour's, so that both are counted together.
const HIGHEST = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

const RESPONDER = fileURLToPath(new URL('./responder.ts', import.meta.url));
const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));
const ROUTING_ONLY = fileURLToPath(new URL('./routing-only.ts', import.meta.url));

/** What is compared by the hop: each side a process of its own on the same core, before the same responder. */
export class Sides {
  readonly #supervisor: Supervisor;
  readonly #env: Record<string, string>;
  readonly #request: BenchRequest;
  readonly #sessionId = newId('ses');
  readonly #pinning = createPinning();
  readonly #started: string[] = [];

  constructor({ supervisor, env }: Run) {
    const [accountId, keyId] = [newId('acct'), newId('key')];
    const principal = { accountId, kind: 'family', env: 'test', keyId, scopes: SCOPES };
    this.#supervisor = supervisor;
    this.#env = {
      ...env,
      ...HIGHEST,
      BENCH_PRINCIPAL: JSON.stringify(principal),
      BENCH_SESSION_ID: this.#sessionId,
    };
    const headers = { authorization: `Bearer ${formatApiKey('test', keyId)}` };
    this.#request = { method: 'GET', path: `/v1/sessions/${this.#sessionId}`, headers };
  }

  /** @returns on which core the sides run. */
  get where(): string {
    return this.#pinning.why;
  }

  /** Starts the fake of the services. */
  async startResponder() {
    const args = [RESPONDER];
    await this.#launch({ name: 'responder', command: nodeProgram(), args, env: this.#env });
  }

  /** Ends all that was started, so that a service of the product can serve sessions on the same bus. */
  async stop() {
    await this.#supervisor.stop(this.#started);
  }

  /** @returns the hand-written server, running. */
  async startFloor(nodeArguments: string[] = []): Promise<Subject> {
    const port = await freePort();
    const floor = {
      name: 'node:http + NATS',
      command: nodeProgram(),
      args: [...nodeArguments, FLOOR],
      env: { ...this.#env, PORT: String(port) },
      isReady: async () => (await fetch(`http://127.0.0.1:${port}${this.#request.path}`)).ok,
    };
    return this.#start(floor, port);
  }

  /** @returns the gateway as it is, running. */
  async startGateway(nodeArguments: string[] = []): Promise<Subject> {
    const port = await freePort();
    const gateway = await gatewayProcess(port, this.#env);
    return this.#start({ ...gateway, args: [...nodeArguments, ...(gateway.args ?? [])] }, port);
  }

  /** @returns the gateway with two of its policies letting everything pass and no log, running. */
  async startRouting(nodeArguments: string[] = []): Promise<Subject> {
    const port = await freePort();
    const gateway = await gatewayProcess(port, this.#env);
    const args = [...nodeArguments, '--import', ROUTING_ONLY, ...(gateway.args ?? [])];
    const env = { ...gateway.env, LOG_LEVEL: 'warn' };
    return this.#start({ ...gateway, name: 'gateway, routing only', args, env }, port);
  }

  async #start(description: ProcessDescription, port: number) {
    const { name } = description;
    await this.#launch(this.#pinning.pin(description));
    const pids = () => this.#supervisor.processes().flatMap((each) => (each.name === name ? [each.pid] : []));
    const subject = { name, origin: `http://127.0.0.1:${port}`, pids, request: this.#request };
    await this.#checkAnswer(subject);
    return subject;
  }

  async #launch(description: ProcessDescription) {
    this.#started.push(description.name);
    await this.#supervisor.launch(description);
  }

  /** All sides must return the same session, or the comparison is invalid. */
  async #checkAnswer({ name, origin, request }: Subject) {
    const response = await fetch(origin + request.path, { headers: request.headers });
    const { success, data } = (await response.json()) as { success?: boolean; data?: object };
    const isRight = success === true && JSON.stringify(data) === JSON.stringify(exampleSession(this.#sessionId));
    if (response.status !== 200 || !isRight) throw new Error(`${name} answered ${response.status} and not the session`);
  }
}

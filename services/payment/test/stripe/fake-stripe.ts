import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { type Fields, Rejected, StripeAccount } from './stripe-account.js';

interface Answer {
  status: number;
  body: Fields;
}

/**
 * Selects the outcome of a request: `lose` answers an error of a proxy after it was carried out, `cut` ends the connection then; a number
 * is the status of an error instead, and `keep an error` stores one under the key; `after` delays the request until it resolves.
 */
type Fault = 'lose' | 'cut' | 'keep an error' | number | { after: Promise<unknown> };

const LOST: Answer = { status: 502, body: { error: { type: 'api_error' } } };

/** Stripe's API over HTTP, to which the real SDK talks: a stateful fake with idempotency keys, and faults on demand. */
export class FakeStripe extends StripeAccount {
  /** Each request, `POST /v1/customers`, in order of arrival. */
  readonly requests: string[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly faults: { path: RegExp; fault: Fault }[] = [];
  private readonly server: Server;
  private underWay = 0;

  private constructor(private readonly webhookSecret: string) {
    super();
    this.server = createServer(async (request, response) => {
      this.underWay++;
      await this.serve(request, response).finally(() => this.underWay--);
    });
  }

  static async start(webhookSecret: string): Promise<FakeStripe> {
    const fake = new FakeStripe(webhookSecret);
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Whether no request is being answered. */
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  /** Disturbs the next request that matches `METHOD path`. */
  disturb(path: RegExp, fault: Fault): void {
    this.faults.push({ path, fault });
  }

  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.answers.clear();
  }

  /** A webhook as Stripe sends it: the body and its signature. */
  webhook(type: string, object: Fields, sentAtSeconds: number): { payload: string; signature: string } {
    const payload = JSON.stringify({ id: this.newId('evt'), object: 'event', type, data: { object } });
    const header = { payload, secret: this.webhookSecret, timestamp: sentAtSeconds };
    return { payload, signature: Stripe.webhooks.generateTestHeaderString(header) };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const name = `${request.method} ${pathname}`;
    this.requests.push(name);
    const body = await text(request);
    const fields = Object.fromEntries(request.method === 'GET' ? searchParams : new URLSearchParams(body));
    const fault = this.takeFault(name);
    const key = request.headers['idempotency-key'] as string | undefined;
    const error = { status: typeof fault === 'number' ? fault : 500, body: { error: { type: 'api_error' } } };
    if (fault === 'keep an error' && key !== undefined) this.answers.set(key, error);
    if (typeof fault === 'number' || fault === 'keep an error') return reply(response, error);
    if (typeof fault === 'object') await fault.after;
    const { answer, isReplayed } = this.answer(name, fields, key);
    if (fault === 'cut') request.socket.destroy();
    else reply(response, fault === 'lose' ? LOST : answer, isReplayed);
  }

  private takeFault(name: string): Fault | undefined {
    const index = this.faults.findIndex(({ path }) => path.test(name));
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
  }

  private answer(name: string, fields: Record<string, string>, key?: string): { answer: Answer; isReplayed: boolean } {
    const known = key === undefined ? undefined : this.answers.get(key);
    if (known) return { answer: known, isReplayed: true };
    let answer: Answer;
    try {
      // As JSON: a later change of the object does not change a stored answer.
      answer = { status: 200, body: JSON.parse(JSON.stringify(this.carryOut(name, fields))) };
    } catch (error) {
      const { status, error: body } = error as Rejected;
      answer = { status, body: { error: body } };
    }
    if (key !== undefined) this.answers.set(key, answer);
    return { answer, isReplayed: false };
  }
}

function reply(response: ServerResponse, { status, body }: Answer, isReplayed = false): void {
  const replayed = isReplayed ? { 'idempotent-replayed': 'true' } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_fake', ...replayed });
  response.end(JSON.stringify(body));
}

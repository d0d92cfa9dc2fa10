import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { InputOf, Operation } from '@swim/contracts';
import { AppError, BUDGET_MS, HOP_MARGIN_MS } from '@swim/platform';
import { type Answer, type Answered, readAnswer, resultOf } from './answer.js';
import type { Call } from './call.js';
import { Turn } from './turn.js';
import { writeCall } from './wire.js';

const SWEEP_MS = 50;
const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 250;
// With less time than this a try might end before it is known whether anybody was there, and the caller could not tell.
const LEAST_TRY_MS = 100;
const NO_RESPONDERS = 503;

interface Pending {
  resolve: (message: Msg) => void;
  reject: (error: Error) => void;
  endsAtMs: number;
}

const unavailable = () => new AppError('unavailable', { retryAfterSeconds: 1 });
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Calls operations of other services. One wildcard inbox takes all replies and one sweep all time-outs: a subscription
 * or a timer for each request costs more than the request itself.
 */
export class RpcClient {
  private readonly prefix = `${createInbox()}.`;
  private readonly pending = new Map<string, Pending>();
  private readonly subscription: Subscription;
  private readonly sweeper: NodeJS.Timeout;
  private readonly turn = new Turn();
  private lastToken = 0;

  constructor(private readonly connection: NatsConnection) {
    this.subscription = connection.subscribe(`${this.prefix}*`, { callback: (_, message) => this.settle(message) });
    this.sweeper = setInterval(() => this.expire(), SWEEP_MS).unref();
  }

  /** Calls an operation and answers its value; throws the AppError it refused with. */
  async call<O extends Operation>(operation: O, input: InputOf<O>, call: Call): Promise<Answered<O>> {
    // Keys and dry runs are for the service that the client called; what it asks of others it names in the input.
    const inner = { ...call, idempotencyKey: null, fingerprint: null, dryRun: false };
    return resultOf(operation, await this.request(operation, JSON.stringify(input), inner));
  }

  /**
   * Sends bytes and answers bytes. While nobody serves the operation nothing has run, so the request waits and is sent
   * again inside its deadline: a restart of the only replica is a wait, not a failure.
   */
  async request(operation: Operation, body: string, call: Call): Promise<Answer> {
    let delayMs = FIRST_RETRY_MS;
    for (;;) {
      const budgetMs = Math.min(call.deadline.remainingMs() - HOP_MARGIN_MS, BUDGET_MS[operation.kind]);
      // After a pause it is certain that nothing has run; before the first send it is so too, but the caller was late.
      if (budgetMs <= 0) throw delayMs > FIRST_RETRY_MS ? unavailable() : new AppError('deadline_exceeded');
      const reply = await this.send(operation.subject, body, call, budgetMs);
      if (reply.headers?.code !== NO_RESPONDERS) return readAnswer(reply.data, reply.headers);
      if (call.deadline.remainingMs() - HOP_MARGIN_MS <= delayMs + LEAST_TRY_MS) throw unavailable();
      await pause(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_RETRY_MS);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await this.subscription.drain();
  }

  private send(subject: string, body: string, call: Call, budgetMs: number): Promise<Msg> {
    const token = (++this.lastToken).toString(36);
    return new Promise((resolve, reject) => {
      this.pending.set(token, { resolve, reject, endsAtMs: performance.now() + budgetMs });
      const headers = writeCall(call, budgetMs);
      this.turn.atEnd(() => {
        try {
          this.connection.publish(subject, body, { reply: this.prefix + token, headers });
        } catch (error) {
          this.pending.delete(token);
          reject(new AppError('unavailable', { retryAfterSeconds: 1, cause: error }));
        }
      });
    });
  }

  private settle(message: Msg): void {
    const token = message.subject.slice(this.prefix.length);
    const pending = this.pending.get(token);
    this.pending.delete(token);
    pending?.resolve(message);
  }

  private expire(): void {
    const now = performance.now();
    for (const [token, pending] of this.pending) {
      if (pending.endsAtMs > now) continue;
      this.pending.delete(token);
      pending.reject(new AppError('deadline_exceeded'));
    }
  }
}

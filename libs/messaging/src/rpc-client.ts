import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { InputOf, Operation, ServiceName } from '@swim/contracts';
import {
  type Answer,
  type Answered,
  AppError,
  BUDGET_MS,
  HOP_MARGIN_MS,
  type RequestContext,
  resultOf,
} from '@swim/platform';
import type { ClockWatch } from './clock-watch.js';
import { ReplyMux } from './reply-mux.js';
import { Turn } from './turn.js';
import { HEADER, readAnswer, writeRequestContext } from './wire.js';

const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 250;
// With less time, an attempt might end before it is known whether a replica serves.
const LEAST_TRY_MS = 100;
const NO_RESPONDERS = 503;

const unavailable = () => new AppError('unavailable', { retryAfterSeconds: 1 });

/** Client of other services' operations. */
export class RpcClient {
  private readonly replies: ReplyMux;
  private readonly turn = new Turn();

  /** `longestMs` replaces the default budgets as the longest that a request may have: for tests. */
  constructor(
    private readonly connection: NatsConnection,
    private readonly clocks?: ClockWatch,
    private readonly longestMs?: number,
  ) {
    this.replies = new ReplyMux(connection, () => new AppError('deadline_exceeded'));
  }

  /** Calls an operation and returns its value; throws its AppError. */
  async call<O extends Operation>(operation: O, input: InputOf<O>, context: RequestContext): Promise<Answered<O>> {
    // Keys and dry runs apply to the service that the client requested; requests to others name their step in the input.
    const inner = { ...context, idempotencyKey: null, fingerprint: null, dryRun: false };
    return resultOf(operation, await this.request(operation, JSON.stringify(input), inner));
  }

  /**
   * Sends bytes and returns bytes. Without a serving replica no work has begun, so the request is repeated within its
   * deadline: a restart of the only replica causes a wait, not a failure.
   */
  async request(operation: Operation, body: string, context: RequestContext): Promise<Answer> {
    const mostMs = this.longestMs ?? BUDGET_MS[operation.kind];
    let delayMs = FIRST_RETRY_MS;
    for (;;) {
      const budgetMs = Math.min(context.deadline.remainingMs() - HOP_MARGIN_MS, mostMs);
      // After a retry it is certain that no work has begun; before the first attempt as well, but then the request itself was
      // late.
      if (budgetMs <= 0) throw delayMs > FIRST_RETRY_MS ? unavailable() : new AppError('deadline_exceeded');
      const reply = await this.send(operation, body, context, budgetMs);
      if (reply.headers?.code !== NO_RESPONDERS) return readAnswer(reply.data, reply.headers);
      if (context.deadline.remainingMs() - HOP_MARGIN_MS <= delayMs + LEAST_TRY_MS) throw unavailable();
      await pause(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_RETRY_MS);
    }
  }

  async close(): Promise<void> {
    await this.replies.close();
  }

  private async send(
    { subject, service }: Operation,
    body: string,
    context: RequestContext,
    budgetMs: number,
  ): Promise<Msg> {
    const requestedAtMs = performance.now();
    const reply = this.replies.expect(budgetMs);
    const headers = writeRequestContext(context, budgetMs);
    this.turn.atEnd(() => {
      try {
        this.connection.publish(subject, body, { reply: reply.subject, headers });
      } catch (error) {
        reply.abandon(new AppError('unavailable', { retryAfterSeconds: 1, cause: error }));
      }
    });
    const message = await reply.message;
    this.readClock(service, requestedAtMs, message);
    return message;
  }

  private readClock(service: ServiceName, requestedAtMs: number, { headers }: Msg): void {
    const shownMs = Number(headers?.get(HEADER.clock));
    if (!this.clocks || !shownMs) return;
    this.clocks.note(service, { shownMs, requestedAtMs, answeredAtMs: performance.now() });
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { ErrorBody, InputOf, Operation, Reason, ServiceName } from '@swim/contracts';
import {
  type Answer,
  type Answered,
  AppError,
  BUDGET_MS,
  HOP_MARGIN_MS,
  type RequestContext,
  resultOf,
  type Tracer,
  type Warning,
} from '@swim/platform';
import { BusConnection } from '../connection/bus-connection.js';
import type { ClockWatch } from '../connection/clock-watch.js';
import { ReplyLost, ReplyMux } from '../connection/reply-mux.js';
import { Turn } from '../connection/turn.js';
import { inRequestSpan } from './spans.js';
import { HEADER, readAnswer, writeRequestContext } from './wire.js';

const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 250;
// With less time left, an attempt could end before it is known whether a replica serves.
const LEAST_TRY_MS = 100;
const NO_RESPONDERS = 503;

const unavailable = () => new AppError('unavailable', { retryAfterSeconds: 1 });

const decoder = new TextDecoder();

const isInProgress = ({ error, body }: Answer): boolean =>
  error &&
  (JSON.parse(decoder.decode(body)) as ErrorBody).details.reason === ('idempotency_in_progress' satisfies Reason);

/** The reasons why an attempt has no answer. */
type Unanswered = 'not begun' | 'lost';

export interface RpcClientOptions {
  /** Records a span for each request; without one, none is recorded. */
  tracer?: Tracer | null;
  /** Replaces the default budgets in tests. */
  longestMs?: number;
}

/** Client of other services' operations. */
export class RpcClient {
  private readonly bus: BusConnection;
  private readonly replies: ReplyMux;
  private readonly turn = new Turn();

  constructor(
    private readonly connection: NatsConnection,
    private readonly clocks?: ClockWatch,
    private readonly options: RpcClientOptions = {},
  ) {
    this.bus = new BusConnection(connection);
    this.replies = new ReplyMux(connection, this.bus, () => new AppError('deadline_exceeded'));
  }

  /** Calls an operation and returns its value; throws its AppError. */
  async call<O extends Operation>(operation: O, input: InputOf<O>, context: RequestContext): Promise<Answered<O>> {
    // Idempotency keys and dry runs apply only to the service that the client requested; inner requests name their step
    // in the input.
    const inner = { ...context, writeKey: null, fingerprint: null, dryRun: false };
    return resultOf(operation, await this.request(operation, JSON.stringify(input), inner));
  }

  /** Passes a client's request on to the service that does it: under its key, as a dry run if it is one, and with the warnings. */
  async forward<O extends Operation>(operation: O, input: InputOf<O>, context: RequestContext): Promise<Answered<O>> {
    const answer = await this.request(operation, JSON.stringify(input), context, context.resumed);
    if (answer.warnings) context.warnings.push(...(JSON.parse(answer.warnings) as Warning[]));
    return resultOf(operation, answer);
  }

  /**
   * Sends bytes and returns bytes. Within its deadline a request is retried when no replica serves, because no work has
   * begun then, and when the connection broke before the reply, if the request is a read or has an idempotency key.
   * @param isRepeat - whether an earlier attempt of this request may be in progress: its outcome is awaited.
   */
  request(operation: Operation, body: string, context: RequestContext, isRepeat = false): Promise<Answer> {
    return inRequestSpan(this.options.tracer ?? null, 'client', operation, context, (own) =>
      this.persist(operation, body, own, isRepeat),
    );
  }

  private async persist(
    operation: Operation,
    body: string,
    context: RequestContext,
    isRepeat: boolean,
  ): Promise<Answer> {
    let isUnknown = false;
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      const isFirst = delayMs === FIRST_RETRY_MS;
      const late = () => (isUnknown || isFirst ? new AppError('deadline_exceeded') : unavailable());
      const outcome = await this.attempt(operation, body, context, { isUnknown, late });
      if (outcome === 'lost' && !isRepeatable(operation, context)) throw new AppError('deadline_exceeded');
      if (typeof outcome !== 'string' && !((isRepeat || isUnknown) && isInProgress(outcome))) return outcome;
      isUnknown ||= outcome !== 'not begun';
      if (context.deadline.remainingMs() - HOP_MARGIN_MS <= delayMs + LEAST_TRY_MS)
        throw isUnknown ? new AppError('deadline_exceeded') : unavailable();
      await pause(delayMs);
    }
  }

  /** Sends a request once; `late` creates the error of one for which no time is left. */
  private async attempt(
    operation: Operation,
    body: string,
    context: RequestContext,
    { isUnknown, late }: { isUnknown: boolean; late: () => AppError },
  ): Promise<Answer | Unanswered> {
    if (!this.bus.isUp && !isUnknown) await this.bus.ready();
    if (!this.bus.isUp) await this.bus.ready(this.budgetOf(operation, context)).catch(() => Promise.reject(late()));
    const budgetMs = this.budgetOf(operation, context);
    if (budgetMs <= 0) throw late();
    try {
      const { headers, data } = await this.send(operation, body, context, budgetMs);
      return headers?.code === NO_RESPONDERS ? 'not begun' : readAnswer(data, headers);
    } catch (error) {
      if (error instanceof ReplyLost) return 'lost';
      throw error;
    }
  }

  private budgetOf({ kind }: Operation, { deadline }: RequestContext): number {
    return Math.min(deadline.remainingMs() - HOP_MARGIN_MS, this.options.longestMs ?? BUDGET_MS[kind]);
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

/** Returns whether sending the request twice has the effect of sending it once. */
export const isRepeatable = ({ kind }: Operation, { writeKey, dryRun }: RequestContext): boolean =>
  kind !== 'write' || writeKey !== null || dryRun;

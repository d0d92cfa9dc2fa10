import type { Msg, NatsConnection, PublishOptions, Subscription } from '@nats-io/transport-node';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { ErrorCode, EventType, HEALTH_CHECKS, Operation } from '@swim/contracts';
import {
  type Answer,
  AppError,
  answerOf,
  Bulkhead,
  errorAnswer,
  inEnvironment,
  isServerFault,
  type Logger,
  operationSeconds,
  operationsInFlight,
  type RequestContext,
  type ServeInterceptor,
  type Tracer,
  withLogContext,
} from '@swim/platform';
import { explainBusFault } from '../connection/connection.js';
import { Turn } from '../connection/turn.js';
import type { EventConsumer } from '../events/event-consumer.js';
import type { EventListener } from '../events/event-handling.js';
import { parsedInput, withoutUnchanged } from '../operations/operation-input.js';
import { inEventSpan, inRequestSpan } from '../operations/spans.js';
import { answerHeaders, readRequestContext } from '../operations/wire.js';
import type { Handled, HandlerMethod } from './serve.decorator.js';

const LIMITS = { maxInFlight: 256, maxQueued: 1_024, maxWaitMs: 2_000 };
const ISOLATED_LIMITS = { maxInFlight: 64, maxQueued: 256, maxWaitMs: 1_000 };
const DEFAULT_PAYLOAD_BYTES = 1024 * 1024;
const HEADER_BYTES = 4_096;

interface Endpoint {
  operation: Operation;
  handler: HandlerMethod;
  bulkhead: Bulkhead;
}

type Fields = Record<string, unknown>;

interface Patch extends Pick<Endpoint, 'operation' | 'handler'> {
  reads: Operation;
  /** The size of the input in bytes. */
  size: number;
}

/**
 * Serves operations over NATS for Nest. Unlike Nest's own NATS server it looks up handlers by exact subject, joins a queue
 * group, limits concurrency, drops expired requests unread, rejects oversize replies, and drains without loss.
 */
export class NatsStrategy extends Server implements CustomTransportStrategy {
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly listeners = new Map<EventType | '*', HandlerMethod>();
  private readonly bulkhead = new Bulkhead(LIMITS);
  private readonly subscriptions: Subscription[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly turn = new Turn();
  private interceptor: ServeInterceptor = { intercept: (_, context, run) => run(context), explain: () => null };
  private closing: Promise<void> | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly consumer: EventConsumer,
    private readonly log: Logger,
    private readonly tracer: Tracer | null = null,
  ) {
    super();
  }

  interceptWrites(interceptor: ServeInterceptor): void {
    this.interceptor = interceptor;
  }

  /** Adds the handler of an operation or of a type of event, which has one in each service. */
  add(handled: Handled, handler: HandlerMethod): void {
    if ('operation' in handled) {
      const { operation } = handled;
      if (this.endpoints.has(operation.subject)) throw new Error(`Two methods serve ${operation.name}.`);
      this.endpoints.set(operation.subject, { operation, handler, bulkhead: this.bulkheadOf(operation) });
    } else {
      if (this.listeners.has(handled.listensTo)) throw new Error(`Two methods listen to ${nameOf(handled.listensTo)}.`);
      this.listeners.set(handled.listensTo, handler);
    }
  }

  /** Serves the health check of this service, which has no handler of its own. */
  serveHealth(operation: (typeof HEALTH_CHECKS)[number], findFailing: () => Promise<string[]>): void {
    this.add({ operation }, async () => ({ failing: await findFailing() }));
  }

  override listen(callback: (error?: unknown) => void): void {
    this.open().then(() => callback(), callback);
  }

  /**
   * Stops accepting requests and events, and waits for those in progress. Nest calls it a second time when the
   * application closes.
   */
  override close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    // A closed connection cannot be drained, and the other parts must still stop.
    await Promise.allSettled(this.subscriptions.map((subscription) => subscription.drain()));
    await Promise.allSettled(this.running);
    this.turn.end();
    await this.consumer.stop();
  }

  override on(): never {
    throw new Error('This transport has no events of its own.');
  }

  override unwrap<T>(): T {
    return this.connection as T;
  }

  private async open(): Promise<void> {
    for (const [type, handler] of this.listeners) this.consumer.listen(type, this.listenerOf(handler));
    for (const [subject, endpoint] of this.endpoints) {
      const callback = (_: unknown, message: Msg) => this.accept(endpoint, message);
      this.subscriptions.push(this.connection.subscribe(subject, { queue: endpoint.operation.service, callback }));
    }
    await this.connection.flush();
    await this.consumer.start([...this.listeners.keys()]);
  }

  private bulkheadOf({ isIsolated }: Operation): Bulkhead {
    return isIsolated ? new Bulkhead(ISOLATED_LIMITS) : this.bulkhead;
  }

  private listenerOf(handler: HandlerMethod): EventListener {
    const listen: EventListener = (event, delivery) => {
      const { id: requestId, type: operation, env } = event;
      // `handleEvent` rejects messages that are no events.
      const traceparent = event.cause?.traceparent;
      const trace = traceparent === undefined ? {} : { traceparent };
      const handle = async () => {
        await handler(event, delivery).catch((error: unknown) => {
          // An event must not become a dead letter because the database is unreachable.
          throw this.interceptor.explain(error) ?? error;
        });
      };
      return inEnvironment(env, () => withLogContext({ requestId, operation, ...trace }, handle));
    };
    const { tracer } = this;
    return tracer ? (event, delivery) => inEventSpan(tracer, event, (own) => listen(own, delivery)) : listen;
  }

  private accept(endpoint: Endpoint, message: Msg): void {
    const work: Promise<void> = this.serve(endpoint, message).finally(() => this.running.delete(work));
    this.running.add(work);
  }

  private async serve(endpoint: Endpoint, message: Msg): Promise<void> {
    const startedAtMs = performance.now();
    const { operation } = endpoint;
    let answer: Answer | null;
    try {
      const received = readRequestContext(message.headers);
      answer = await inRequestSpan(this.tracer, 'server', operation, received, (context) =>
        this.enter(endpoint, message, context),
      );
    } catch (error) {
      answer = this.reject(error, operation);
    }
    if (!answer) return;
    operationSeconds.observe(
      { operation: operation.name, outcome: answer.error ? 'rejected' : 'ok' },
      (performance.now() - startedAtMs) / 1000,
    );
    this.respond(message, answer, operation);
  }

  /** Handles a request when it is its turn; null when its client does not wait for the answer any more. */
  private async enter(
    { operation, handler, bulkhead }: Endpoint,
    message: Msg,
    context: RequestContext,
  ): Promise<Answer | null> {
    if (context.deadline.expired) return null;
    const leave = await bulkhead.enter();
    operationsInFlight.inc();
    try {
      if (context.deadline.expired) return null;
      const logContext = {
        requestId: context.requestId,
        operation: operation.name,
        accountId: context.principal.accountId,
        ...(context.traceparent === null ? {} : { traceparent: context.traceparent }),
      };
      const handle = () => this.answer(operation, handler, message, context);
      return await inEnvironment(context.principal.env, () => withLogContext(logContext, handle));
    } finally {
      operationsInFlight.dec();
      leave();
    }
  }

  private async answer(
    operation: Operation,
    handler: HandlerMethod,
    message: Msg,
    context: RequestContext,
  ): Promise<Answer> {
    const input: unknown = message.json();
    const { reads } = operation;
    const size = message.data.length;
    const data = reads ? null : parsedInput(operation, input, size);
    const run = async (finalContext: RequestContext): Promise<Answer> => {
      try {
        rejectWhileClosing(operation, finalContext);
        const returned = reads
          ? await this.patch({ operation, handler, reads, size }, input as Fields, finalContext)
          : await handler(data, finalContext);
        return withWarnings(answerOf(operation, returned), finalContext);
      } catch (error) {
        return this.reject(error, operation);
      }
    };
    return operation.kind === 'write' ? this.interceptor.intercept(operation, context, run) : run(context);
  }

  /**
   * Handles a patch. When it is rejected, it is tried again without the fields that equal those of the object: a past
   * date is no error of a client that sends back what it has read.
   */
  private async patch(
    { operation, handler, reads, size }: Patch,
    input: Fields,
    context: RequestContext,
  ): Promise<unknown> {
    try {
      return await handler(parsedInput(operation, input, size), context);
    } catch (error) {
      if (!(error instanceof AppError) || !OF_INPUT.has(error.code)) throw error;
      // As where `rejectWhileClosing` rejects, it does not matter what is changed.
      if (error.reason === 'account_closing') throw error;
      const { changes, ...ofPath } = input;
      const read = await this.endpoints
        .get(reads.subject)!
        .handler(ofPath, context)
        .catch((fault: unknown) => {
          throw fault instanceof AppError && fault.code === 'NOT_FOUND' ? error : fault;
        });
      const current = JSON.parse(Buffer.from(answerOf(reads, read).body).toString()) as Fields;
      const rest = withoutUnchanged(changes, current);
      if (rest === changes) throw error;
      if (rest === null) return current;
      return await handler(parsedInput(operation, { ...ofPath, changes: rest }, size), context);
    }
  }

  private reject(error: unknown, operation: Operation): Answer {
    if (isServerFault(error)) this.log.error({ err: error, operation: operation.name }, 'operation failed');
    return errorAnswer(this.interceptor.explain(error) ?? explainBusFault(error) ?? error);
  }

  private respond(message: Msg, answer: Answer, operation: Operation): void {
    const maxBytes = (this.connection.info?.max_payload ?? DEFAULT_PAYLOAD_BYTES) - HEADER_BYTES;
    const fits = answer.body.length <= maxBytes;
    if (!fits) this.log.error({ operation: operation.name, bytes: answer.body.length }, 'reply too large');
    const sent = fits ? answer : errorAnswer(new AppError('internal'));
    this.turn.atEnd(() => this.reply(message, sent.body, { headers: answerHeaders(sent) }));
  }

  // The client's own time-out handles a request without a reply.
  private reply(message: Msg, body: Answer['body'], options: PublishOptions): void {
    try {
      message.respond(body, options);
    } catch (error) {
      this.log.warn({ err: error }, 'reply not sent');
    }
  }
}

const nameOf = (type: EventType | '*'): string => (type === '*' ? 'every event' : type.type);

/** These errors may be caused by a field that does not change the object. */
const OF_INPUT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['VALIDATION_ERROR', 'CONFLICT']);

const withWarnings = (answer: Answer, { warnings }: RequestContext): Answer =>
  warnings.length > 0 ? { ...answer, warnings: JSON.stringify(warnings) } : answer;

/**
 * An account that waits for its erasure is read-only: a write would be erased within days. Stored answers are still
 * repeated.
 */
function rejectWhileClosing({ kind, whileClosing }: Operation, { principal: { closing } }: RequestContext): void {
  if (kind !== 'write' || closing === undefined || whileClosing) return;
  throw new AppError('account_closing', { details: { erases_at: closing } });
}

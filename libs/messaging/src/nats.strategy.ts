import type { Msg, NatsConnection, PublishOptions, Subscription } from '@nats-io/transport-node';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { type Operation, refusalOf } from '@swim/contracts';
import {
  AppError,
  Bulkhead,
  isServerFault,
  type Logger,
  operationSeconds,
  operationsInFlight,
  withRequestContext,
} from '@swim/platform';
import { lastValueFrom } from 'rxjs';
import { type Answer, answerHeaders, answerOf, refusalAnswer } from './answer.js';
import type { Call } from './call.js';
import type { EventConsumer, EventListener } from './event-consumer.js';
import type { ServeInterceptor } from './serve-interceptor.js';
import { Turn } from './turn.js';
import { readCall } from './wire.js';

const LIMITS = { maxInFlight: 256, maxQueued: 1_024, maxWaitMs: 2_000 };
const DEFAULT_PAYLOAD_BYTES = 1024 * 1024;
const HEADER_BYTES = 4_096;

interface Door {
  operation: Operation;
  handler: MessageHandler;
}

/**
 * Serves operations over NATS for Nest. Unlike Nest's own NATS server it looks handlers up by exact subject, joins a
 * queue group, bounds what runs at once, drops expired work unread, answers oversize replies, and drains without loss.
 */
export class NatsStrategy extends Server implements CustomTransportStrategy {
  private readonly doors = new Map<string, Door>();
  private readonly bulkhead = new Bulkhead(LIMITS);
  private readonly subscriptions: Subscription[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly turn = new Turn();
  private interceptor: ServeInterceptor = { intercept: (_, call, run) => run(call), explain: () => null };
  private closing: Promise<void> | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly consumer: EventConsumer,
    private readonly log: Logger,
  ) {
    super();
  }

  interceptWrites(interceptor: ServeInterceptor): void {
    this.interceptor = interceptor;
  }

  override listen(callback: (error?: unknown) => void): void {
    this.open().then(() => callback(), callback);
  }

  /** Stops taking requests and events, and waits for those under way. Nest calls it again when the application closes. */
  override close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.drain()));
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
    const listened: Parameters<EventConsumer['start']>[0] = [];
    for (const [pattern, handler] of this.messageHandlers) {
      const { operation, listensTo } = handler.extras ?? {};
      if (operation) this.doors.set(pattern, { operation, handler });
      if (!listensTo) continue;
      this.consumer.listen(listensTo, this.listenerOf(handler));
      listened.push(listensTo);
    }
    for (const [subject, door] of this.doors) {
      const callback = (_: unknown, message: Msg) => this.accept(door, message);
      this.subscriptions.push(this.connection.subscribe(subject, { queue: door.operation.service, callback }));
    }
    await this.connection.flush();
    await this.consumer.start(listened);
  }

  private listenerOf(handler: MessageHandler): EventListener {
    return (event, delivery) =>
      withRequestContext({ requestId: event.id, operation: event.type, env: event.env }, async () => {
        await this.settle(handler, event, delivery).catch((error: unknown) => {
          // An event is not to blame for storage that is out of reach.
          throw this.interceptor.explain(error) ?? error;
        });
      });
  }

  private accept(door: Door, message: Msg): void {
    const work: Promise<void> = this.serve(door, message).finally(() => this.running.delete(work));
    this.running.add(work);
  }

  private async serve({ operation, handler }: Door, message: Msg): Promise<void> {
    const startedAtMs = performance.now();
    let answer: Answer;
    try {
      const call = readCall(message.headers);
      const leave = await this.bulkhead.enter();
      operationsInFlight.inc();
      try {
        if (call.deadline.expired) return;
        const context = {
          requestId: call.requestId,
          operation: operation.name,
          accountId: call.principal.accountId,
          env: call.principal.env,
          ...(call.traceparent === null ? {} : { traceparent: call.traceparent }),
        };
        answer = await withRequestContext(context, () => this.answer(operation, handler, message, call));
      } finally {
        operationsInFlight.dec();
        leave();
      }
    } catch (error) {
      answer = this.refuse(error, operation);
    }
    operationSeconds.observe(
      { operation: operation.name, outcome: answer.error ? 'refused' : 'ok' },
      (performance.now() - startedAtMs) / 1000,
    );
    this.respond(message, answer, operation);
  }

  private async answer(operation: Operation, handler: MessageHandler, message: Msg, call: Call): Promise<Answer> {
    const parsed = operation.input.safeParse(message.json(), { reportInput: true });
    if (!parsed.success) throw AppError.fromBody(refusalOf(parsed.error));
    const run = async (settled: Call): Promise<Answer> => {
      try {
        return answerOf(operation, await this.settle(handler, parsed.data, settled));
      } catch (error) {
        return this.refuse(error, operation);
      }
    };
    return operation.kind === 'write' ? this.interceptor.intercept(operation, call, run) : run(call);
  }

  private async settle(handler: MessageHandler, data: unknown, context: unknown): Promise<unknown> {
    return lastValueFrom(this.transformToObservable(await handler(data, context)), { defaultValue: undefined });
  }

  private refuse(error: unknown, operation: Operation): Answer {
    if (isServerFault(error)) this.log.error({ err: error, operation: operation.name }, 'operation failed');
    return refusalAnswer(this.interceptor.explain(error) ?? error);
  }

  private respond(message: Msg, answer: Answer, operation: Operation): void {
    const maxBytes = (this.connection.info?.max_payload ?? DEFAULT_PAYLOAD_BYTES) - HEADER_BYTES;
    const fits = answer.body.length <= maxBytes;
    if (!fits) this.log.error({ operation: operation.name, bytes: answer.body.length }, 'reply too large');
    const sent = fits ? answer : refusalAnswer(new AppError('internal'));
    const headers = answerHeaders(sent);
    this.turn.atEnd(() => this.reply(message, sent.body, headers ? { headers } : {}));
  }

  // The caller's deadline ends what cannot be answered any more.
  private reply(message: Msg, body: Answer['body'], options: PublishOptions): void {
    try {
      message.respond(body, options);
    } catch (error) {
      this.log.warn({ err: error }, 'reply not sent');
    }
  }
}

import type { ErrorBody, Operation, Reason } from '@swim/contracts';
import { type BusConnection, isRepeatable, type RpcClient } from '@swim/messaging/client';
import { type Answer, AppError, Deadline, type Logger, type RequestContext, ServiceBreaker } from '@swim/platform';

// Share of the deadline that the first try of a repeatable request may use.
const FIRST_TRY = { read: 0.6, list: 0.6, write: 0.8 } as const;
const RETRY_SHARE = 0.1;
const MAX_RETRY_TOKENS = 10;
const MIN_JITTER_MS = 10;
const MAX_JITTER_MS = 60;

const OUTAGES = new Set<string>(['internal', 'unavailable', 'deadline_exceeded'] satisfies Reason[]);
const RETRIED = new Set<string>(['unavailable', 'deadline_exceeded'] satisfies Reason[]);

const decoder = new TextDecoder();

/** An answer of a service, with its parsed `error` where it has one. */
export interface Reply {
  readonly answer: Answer;
  readonly error: ErrorBody | null;
}

const jitter = () =>
  new Promise<void>((resolve) => setTimeout(resolve, MIN_JITTER_MS + Math.random() * (MAX_JITTER_MS - MIN_JITTER_MS)));

function replyOf(answer: Answer): Reply {
  if (!answer.error) return { answer, error: null };
  const error = JSON.parse(decoder.decode(answer.body)) as ErrorBody;
  // A thrown error counts against the circuit. Overload (`overloaded`, `busy_retry`) is no outage and must not open it.
  if (OUTAGES.has(error.details.reason)) throw AppError.fromBody(error, answer.retryAfterSeconds ?? undefined);
  return { answer, error };
}

/** Allows retries for at most a tenth of all requests, so that they cannot make an outage worse. */
export class RetryBudget {
  private tokens = MAX_RETRY_TOKENS;

  /** Counts a request that is not a retry. */
  earn(): void {
    this.tokens = Math.min(MAX_RETRY_TOKENS, this.tokens + RETRY_SHARE);
  }

  /** Whether the budget allows one more retry, which is then taken from it. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}

/**
 * Sends requests to services: one circuit and bulkhead for each service and isolated operation, one retry of a repeatable
 * request.
 */
export class ServiceCalls {
  private readonly breakers = new Map<string, ServiceBreaker>();
  private readonly budget = new RetryBudget();

  constructor(
    private readonly client: RpcClient,
    private readonly busConnection: BusConnection,
    private readonly logger: Logger,
  ) {}

  /** Sends an operation's input. Throws `unavailable`, `overloaded`, `deadline_exceeded`, or `internal` as an AppError. */
  async request(operation: Operation, input: string, context: RequestContext): Promise<Reply> {
    if (!this.busConnection.isUp) await this.busConnection.ready();
    const breaker = this.breakerOf(operation);
    this.budget.earn();
    if (!isRepeatable(operation, context)) return this.send(breaker, operation, input, context);
    const firstTry = { ...context, deadline: new Deadline(context.deadline.remainingMs() * FIRST_TRY[operation.kind]) };
    try {
      return await this.send(breaker, operation, input, firstTry);
    } catch (error) {
      if (!this.isWorthRetrying(error, breaker)) throw error;
    }
    await jitter();
    await this.busConnection.ready();
    return this.send(breaker, operation, input, context, true);
  }

  /** Whether a request of this operation would be rejected as `overloaded` now. */
  isFull(operation: Operation): boolean {
    return this.breakerOf(operation).isFull;
  }

  close(): void {
    for (const breaker of this.breakers.values()) breaker.close();
  }

  private send(
    breaker: ServiceBreaker,
    operation: Operation,
    input: string,
    context: RequestContext,
    isRepeat = false,
  ): Promise<Reply> {
    return breaker.run(async () => replyOf(await this.client.request(operation, input, context, isRepeat)));
  }

  private isWorthRetrying(error: unknown, breaker: ServiceBreaker): boolean {
    return error instanceof AppError && RETRIED.has(error.reason) && breaker.state !== 'open' && this.budget.spend();
  }

  private breakerOf({ name, service, isIsolated }: Operation): ServiceBreaker {
    const guarded = isIsolated ? name : service;
    let breaker = this.breakers.get(guarded);
    if (!breaker) {
      breaker = new ServiceBreaker(guarded, this.logger);
      this.breakers.set(guarded, breaker);
    }
    return breaker;
  }
}

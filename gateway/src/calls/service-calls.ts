import type { ErrorBody, Operation, Reason, ServiceName } from '@swim/contracts';
import type { Answer, Call, RpcClient } from '@swim/messaging/client';
import { AppError, Deadline, ServiceBreaker } from '@swim/platform';
import type { BusLink } from './bus-link.js';
import { RetryBudget } from './retry-budget.js';
import { Turn } from './turn.js';

// Share of the deadline that a call which may be retried waits for its first answer.
const FIRST_TRY = { read: 0.6, list: 0.6, write: 0.8 } as const;
const MIN_JITTER_MS = 10;
const MAX_JITTER_MS = 60;

const OUTAGES = new Set<string>(['internal', 'unavailable', 'deadline_exceeded'] satisfies Reason[]);
const RETRIED = new Set<string>(['unavailable', 'deadline_exceeded'] satisfies Reason[]);

const decoder = new TextDecoder();

/** An answer of a service, with its `error` read where it has one. */
export interface Reply {
  readonly answer: Answer;
  readonly error: ErrorBody | null;
}

const jitter = () =>
  new Promise<void>((resolve) => setTimeout(resolve, MIN_JITTER_MS + Math.random() * (MAX_JITTER_MS - MIN_JITTER_MS)));

function replyOf(answer: Answer): Reply {
  if (!answer.error) return { answer, error: null };
  const error = JSON.parse(decoder.decode(answer.body)) as ErrorBody;
  // Only thrown does it count against the circuit. Crowding (`overloaded`, `busy_retry`) is no outage and must not open it.
  if (OUTAGES.has(error.details.reason)) throw AppError.fromBody(error, answer.retryAfterSeconds ?? undefined);
  return { answer, error };
}

/** Calls services: a circuit and a bulkhead for each, one retry of what may be repeated. */
export class ServiceCalls {
  private readonly breakers = new Map<ServiceName, ServiceBreaker>();
  private readonly budget = new RetryBudget();
  private readonly turn = new Turn();

  constructor(
    private readonly client: RpcClient,
    private readonly link: BusLink,
  ) {}

  /** Sends an operation's input. Throws `unavailable`, `overloaded`, `deadline_exceeded`, or `internal` as an AppError. */
  async request(operation: Operation, input: string, call: Call): Promise<Reply> {
    await this.turn.end();
    if (!this.link.isUp) await this.link.ready();
    const breaker = this.breakerOf(operation.service);
    const mayRepeat = operation.kind !== 'write' || call.idempotencyKey !== null || call.dryRun;
    this.budget.earn();
    if (!mayRepeat) return this.send(breaker, operation, input, call);
    const firstTry = { ...call, deadline: new Deadline(call.deadline.remainingMs() * FIRST_TRY[operation.kind]) };
    try {
      return await this.send(breaker, operation, input, firstTry);
    } catch (error) {
      if (!this.isWorthRetrying(error, breaker)) throw error;
    }
    await jitter();
    await this.link.ready();
    return this.send(breaker, operation, input, call);
  }

  close(): void {
    for (const breaker of this.breakers.values()) breaker.close();
  }

  private send(breaker: ServiceBreaker, operation: Operation, input: string, call: Call): Promise<Reply> {
    return breaker.run(async () => replyOf(await this.client.request(operation, input, call)));
  }

  private isWorthRetrying(error: unknown, breaker: ServiceBreaker): boolean {
    return error instanceof AppError && RETRIED.has(error.reason) && breaker.state !== 'open' && this.budget.spend();
  }

  private breakerOf(service: ServiceName): ServiceBreaker {
    let breaker = this.breakers.get(service);
    if (!breaker) {
      breaker = new ServiceBreaker(service);
      this.breakers.set(service, breaker);
    }
    return breaker;
  }
}

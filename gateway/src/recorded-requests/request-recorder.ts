import {
  ENVIRONMENTS,
  type Environment,
  MOST_RECORDED_REQUESTS,
  type RecordedRequest,
  recordRequests,
} from '@swim/contracts';
import { Deadline, type Logger, makeRequestContext, newId, requestLogLostTotal, resultOf } from '@swim/platform';
import { GATEWAY_PRINCIPALS } from '../calls/gateway-principals.js';
import type { ServiceCalls } from '../calls/service-calls.js';

const EVERY_MS = 1_000;
const BUDGET_MS = 3_000;
/** The most entries of an environment that wait. */
const MOST_WAITING = 10_000;
/** An entry that could not be stored for so long is dropped: less than the pause between the two rounds of an erasure. */
const LONGEST_WAIT_MS = 20_000;
/** The most entries with status 429 of an account between two batches: such requests cost the client nothing. */
const MOST_LIMITED = 10;

/** An answered request, before it has an id. */
export type AnsweredEntry = Omit<RecordedRequest, 'id'>;

interface Waiting {
  readonly entry: RecordedRequest;
  readonly sinceMs: number;
}

/**
 * Hands answered requests over to notification: in batches, each second, after the answers. It never delays an answer. What
 * cannot be stored is counted and lost: beyond MOST_WAITING entries, and after LONGEST_WAIT_MS.
 */
export class RequestRecorder {
  private readonly waiting: Record<Environment, Waiting[]> = { live: [], test: [] };
  private readonly limited = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly logger: Logger,
  ) {}

  /** Takes an entry, or counts it as lost. */
  add(env: Environment, answered: AnsweredEntry): void {
    const batch = this.waiting[env];
    if (answered.status === 429 && this.isFlood(answered.account_id))
      requestLogLostTotal.inc({ reason: 'rate_limited' });
    else if (batch.length >= MOST_WAITING) requestLogLostTotal.inc({ reason: 'overflow' });
    else batch.push({ entry: { id: newId('rlog'), ...answered }, sinceMs: performance.now() });
    this.startTimer();
  }

  /** Stores what waits, once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.storing;
    await this.storeAll();
  }

  private isFlood(accountId: string): boolean {
    const count = (this.limited.get(accountId) ?? 0) + 1;
    this.limited.set(accountId, count);
    return count > MOST_LIMITED;
  }

  private startTimer(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => {
      this.storing = this.storeAll().finally(() => {
        this.timer = undefined;
        if (ENVIRONMENTS.some((env) => this.waiting[env].length > 0)) this.startTimer();
      });
    }, EVERY_MS).unref();
  }

  private async storeAll(): Promise<void> {
    this.limited.clear();
    await Promise.all(ENVIRONMENTS.map((env) => this.storeOf(env)));
  }

  private async storeOf(env: Environment): Promise<void> {
    const waiting = this.waiting[env];
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_RECORDED_REQUESTS);
      try {
        await this.store(env, batch);
      } catch (error) {
        this.logger.warn({ err: error, env, count: batch.length }, 'requests not recorded yet');
        this.restore(env, batch);
        return;
      }
    }
  }

  private async store(env: Environment, batch: readonly Waiting[]): Promise<void> {
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: GATEWAY_PRINCIPALS[env],
      deadline: new Deadline(BUDGET_MS),
    });
    const input = JSON.stringify({ answeredRequests: batch.map(({ entry }) => entry) });
    const { answer } = await this.calls.request(recordRequests, input, context);
    resultOf(recordRequests, answer);
  }

  private restore(env: Environment, batch: readonly Waiting[]): void {
    const sinceMs = performance.now() - LONGEST_WAIT_MS;
    const young = batch.filter((each) => each.sinceMs > sinceMs);
    if (young.length < batch.length) requestLogLostTotal.inc({ reason: 'unavailable' }, batch.length - young.length);
    this.waiting[env].unshift(...young);
  }
}

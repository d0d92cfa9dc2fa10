import {
  type Environment,
  type InputOf,
  type Operation,
  type Principal,
  type RecordedAction,
  type RecordedRequest,
  recordRequests,
  recordUsage,
  recordUserActions,
} from '@swim/contracts';
import { counter, Deadline, type Logger, makeRequestContext, newId, resultOf } from '@swim/platform';
import { GATEWAY_PRINCIPALS } from '../calls/gateway-principals.js';
import type { ServiceCalls } from '../calls/service-calls.js';
import type { Match } from '../router.js';
import { EntryBatches } from './entry-batches.js';
import { isRecorded, recordedAction, recordedPath, recordedQuery } from './recorded-request.js';
import { type CountedRequest, UsageCounts } from './usage-counts.js';

/** Writes of users that are missing in the activity of their account, by reason: `overflow` and `unavailable`. */
const userActionsLostTotal = counter({
  name: 'swim_user_actions_lost_total',
  help: 'Writes of users of the dashboard that are missing in the activity of their account',
  labelNames: ['reason'],
});

/**
 * Answered requests that are not in the log of their account, by reason: `overflow` and `unavailable` while notification cannot
 * store them, `rate_limited` beyond the first and `overloaded` beyond the first ten of a second.
 */
const requestLogLostTotal = counter({
  name: 'swim_request_log_lost_total',
  help: 'Answered requests that are missing in the request log of their account',
  labelNames: ['reason'],
});

const BUDGET_MS = 3_000;
/**
 * The most entries of an account within a window that a limit has rejected, and as many that were rejected for overload: such
 * requests cost the client nothing, and storing all of them would take from the capacity that is short.
 */
const MOST_REJECTED = 10;
const WINDOW_MS = 1_000;

/** The members of an answered request that are recorded. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly match: Match;
  /** The undecoded query. */
  readonly query: string;
  readonly status: number;
  /** The reason of the error that was answered; null without one. */
  readonly reason: string | null;
  readonly durationMs: number;
  readonly network: string;
  readonly isDryRun: boolean;
  /** Id of the object that a user of the dashboard created; null without one. */
  readonly createdId: string | null;
}

/** Whether a limit rejected the request, or overload; null where neither did. */
function rejectionOf({ status, reason }: AnsweredRequest): 'rate_limited' | 'overloaded' | null {
  if (status === 429) return 'rate_limited';
  return reason === 'overloaded' ? reason : null;
}

/**
 * Hands answered requests over to notification, for the log of their accounts and for their usage, and what users changed to
 * people, for the activity.
 */
export class RequestRecorder {
  private readonly requests: EntryBatches<RecordedRequest>;
  private readonly actions: EntryBatches<RecordedAction>;
  private readonly usage: UsageCounts;
  private readonly rejected = new Map<string, number>();
  private windowEndsMs = 0;

  constructor(
    private readonly calls: ServiceCalls,
    logger: Logger,
  ) {
    this.requests = new EntryBatches(
      {
        name: 'requests',
        store: (env, entries) => this.hand(recordRequests, { answeredRequests: [...entries] }, env),
        onLost: (reason, count) => requestLogLostTotal.inc({ reason }, count),
      },
      logger,
    );
    this.actions = new EntryBatches(
      {
        name: 'actions of users',
        store: (env, entries) => this.hand(recordUserActions, { userActions: [...entries] }, env),
        onLost: (reason, count) => userActionsLostTotal.inc({ reason }, count),
      },
      logger,
    );
    this.usage = new UsageCounts((env, counts) => this.hand(recordUsage, { usageCounts: [...counts] }, env), logger);
  }

  /** Counts a request of an account, once its answer begins. */
  count(principal: Principal, counted: CountedRequest): void {
    this.usage.add(principal, counted);
  }

  /** Takes an answered request of an account, or counts it as lost. */
  record(principal: Principal, answered: AnsweredRequest): void {
    if (isRecorded(answered.match)) this.addRequest(principal, answered);
    if (principal.userId !== undefined && answered.status < 400 && !answered.isDryRun)
      this.addAction(principal, principal.userId, answered);
  }

  /** Stores what waits, once. */
  async stop(): Promise<void> {
    await Promise.all([this.requests.stop(), this.actions.stop(), this.usage.stop()]);
  }

  private addRequest({ env, accountId, keyId, userId }: Principal, answered: AnsweredRequest): void {
    const { requestId, method, match, query, status, reason, durationMs, network } = answered;
    const rejection = rejectionOf(answered);
    if (rejection && this.isFlood(`${rejection} ${accountId}`)) {
      requestLogLostTotal.inc({ reason: rejection });
      return;
    }
    this.requests.add(env, () => ({
      id: newId('rlog'),
      account_id: accountId,
      request_id: requestId,
      method,
      path: recordedPath(match),
      query: recordedQuery(match, query),
      status,
      reason,
      duration_ms: durationMs,
      key_id: userId === undefined ? keyId : null,
      user_id: userId ?? null,
      network,
    }));
  }

  private addAction({ env, accountId }: Principal, userId: string, answered: AnsweredRequest): void {
    const { match, network, createdId } = answered;
    const action = recordedAction(match, createdId);
    if (!action) return;
    this.actions.add(env, () => ({ id: newId('act'), account_id: accountId, user_id: userId, ...action, network }));
  }

  private isFlood(rejected: string): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.windowEndsMs) {
      this.rejected.clear();
      this.windowEndsMs = nowMs + WINDOW_MS;
    }
    const count = (this.rejected.get(rejected) ?? 0) + 1;
    this.rejected.set(rejected, count);
    return count > MOST_REJECTED;
  }

  private async hand<O extends Operation>(operation: O, input: InputOf<O>, env: Environment): Promise<void> {
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: GATEWAY_PRINCIPALS[env],
      deadline: new Deadline(BUDGET_MS),
    });
    const { answer } = await this.calls.request(operation, JSON.stringify(input), context);
    resultOf(operation, answer);
  }
}

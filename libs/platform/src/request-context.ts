import type { EventCause, IdPrefix, Principal } from '@swim/contracts';
import { Deadline } from './deadline.js';
import { newId } from './ids.js';
import { logContext } from './log-context.js';

/** One request as a use case sees it: its principal, its deadline, and the identity of the work. */
export interface RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  readonly deadline: Deadline;
  /** Only on the client's own request; requests between services name their step in the input. */
  readonly idempotencyKey: string | null;
  /** SHA-256 of method, path and canonical body; stands beside a key. */
  readonly fingerprint: string | null;
  /** W3C Trace Context of the client's request, passed on as it came; null without one. */
  readonly traceparent: string | null;
  /** Where the client's request came from, to the /24 or /64; null for what a service does by itself. */
  readonly network: string | null;
  /** Validate and check for conflicts, keep nothing. */
  readonly dryRun: boolean;
  /** Names this piece of work: the same when a later run resumes it after a crash. Null when nobody can repeat it. */
  readonly opId: string | null;
  /** Whether an earlier run may already have done part of this. */
  readonly resumed: boolean;
  /** Which run of this work it is: 1, and one more each time another run resumes it. A later run fences the earlier ones. */
  readonly attempt: number;
  /** The id of an object that this work makes; the same in each run. */
  newId(prefix: IdPrefix): string;
}

/** Stands for the key where a service acts by itself. */
const SYSTEM_ACTOR = 'system';

/** The fields without a default. */
export type RequestContextSeed = Pick<RequestContext, 'requestId' | 'principal' | 'deadline'> & Partial<RequestContext>;

/** Fills in the defaults of a context without an idempotency record: not repeatable, with fresh ids. */
export const makeRequestContext = (seed: RequestContextSeed): RequestContext => ({
  idempotencyKey: null,
  fingerprint: null,
  traceparent: null,
  network: null,
  dryRun: false,
  opId: null,
  resumed: false,
  attempt: 1,
  newId,
  ...seed,
});

/** The cause that this request's events name. Work that the service does by itself has no request. */
export const causeOf = (context: RequestContext): EventCause => ({
  requestId: context.principal.keyId === SYSTEM_ACTOR ? null : context.requestId,
  idempotencyKey: context.idempotencyKey,
  actor: context.principal.keyId,
  accountId: context.principal.accountId,
  ...(context.traceparent === null ? {} : { traceparent: context.traceparent }),
});

/** The context of work that the service does by itself (recovery, sweeps), for the account whose work it finishes. */
export const systemContext = (env: Principal['env'], accountId: string, budgetMs = 10_000): RequestContext =>
  makeRequestContext({
    requestId: newId('req'),
    deadline: new Deadline(budgetMs),
    // What follows from an event belongs to the trace of the event's request.
    traceparent: logContext()?.traceparent ?? null,
    principal: { accountId, kind: 'family', env, keyId: SYSTEM_ACTOR, scopes: [] },
  });

import { type EventCause, type IdPrefix, type Principal, SYSTEM_ACTOR } from '@swim/contracts';
import { logContext } from '../observability/log-context.js';
import { Deadline } from './deadline.js';
import { newId } from './ids.js';

/** A non-fatal note for the client of a request. Its texts are ASCII. */
export interface Warning {
  readonly code: string;
  readonly [detail: string]: string | number | readonly unknown[];
}

/** The context of one request for a use case: its principal, its deadline, and the identity of the work. */
export interface RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  readonly deadline: Deadline;
  /** The client's, which the events of the request name, also those of requests that it causes between services. */
  readonly idempotencyKey: string | null;
  /**
   * Under this key the service lets the write take effect once: the client's key, or one that the gateway gives to a request
   * without. Null in requests between services, which name their step in the input.
   */
  readonly writeKey: string | null;
  /** SHA-256 of method, path and canonical body; present with a key. */
  readonly fingerprint: string | null;
  /** W3C Trace Context of the client's request, passed on unchanged; null without one. */
  readonly traceparent: string | null;
  /** The network of the client's request, a /24 or /64; null for the service's own work. */
  readonly network: string | null;
  /** Whether nobody gets e-mails about what this request books or moves. */
  readonly isQuiet: boolean;
  /** Whether this is part of work on many objects: what follows from each waits until that has ended, and comes bit by bit. */
  readonly isBulk: boolean;
  /** Validate only: check for conflicts, store nothing. */
  readonly dryRun: boolean;
  /** Names this piece of work: the same when a later run resumes it after a crash. Null for work that cannot be repeated. */
  readonly opId: string | null;
  /** Seed of the idempotency record: the key gets another one when it is used again after its record is gone. Null without `opId`. */
  readonly opSeed: string | null;
  /** Whether an earlier run may already have done part of this. */
  readonly resumed: boolean;
  /** The run of this work: 1 for the first, incremented by each resumed run. A later run fences off the earlier ones. */
  readonly attempt: number;
  /** Non-fatal notes about this request for its client (`meta.warnings`); a handler appends to them. */
  readonly warnings: Warning[];
  /** The id of an object of this work; the same in each run. */
  newId(prefix: IdPrefix): string;
}

/** The fields without a default. */
export type RequestContextSeed = Pick<RequestContext, 'requestId' | 'principal' | 'deadline'> & Partial<RequestContext>;

/** Adds the defaults of a context without an idempotency record: not repeatable, with fresh ids. */
export const makeRequestContext = (seed: RequestContextSeed): RequestContext => ({
  idempotencyKey: null,
  writeKey: seed.idempotencyKey ?? null,
  fingerprint: null,
  traceparent: null,
  network: null,
  isQuiet: false,
  isBulk: false,
  dryRun: false,
  opId: null,
  opSeed: null,
  resumed: false,
  attempt: 1,
  warnings: [],
  newId,
  ...seed,
});

/** Work as stored with what it changed: `opId` and `opSeed` of its context. */
export interface StoredWork {
  opId: string | null;
  opSeed: string | null;
}

/** Whether stored work is that of this request: not that of an earlier one with the same key, whose record is gone. */
export const isOwnWork = (context: RequestContext, { opId, opSeed }: StoredWork): boolean =>
  opId !== null && opId === context.opId && opSeed === context.opSeed;

/** The cause in this request's events. The service's own work has no request. */
export const causeOf = (context: RequestContext): EventCause => ({
  requestId: context.principal.keyId === SYSTEM_ACTOR ? null : context.requestId,
  idempotencyKey: context.idempotencyKey,
  actor: context.principal.keyId,
  accountId: context.principal.accountId,
  ...(context.traceparent === null ? {} : { traceparent: context.traceparent }),
  ...(context.isQuiet ? { isQuiet: true } : {}),
});

/** The context of the service's own work (recovery, sweeps), for the account whose work it finishes. */
export const systemContext = (env: Principal['env'], accountId: string, budgetMs = 10_000): RequestContext =>
  makeRequestContext({
    requestId: newId('req'),
    deadline: new Deadline(budgetMs),
    // Consequences of an event belong to the trace of the event's request.
    traceparent: logContext()?.traceparent ?? null,
    principal: { accountId, kind: 'family', env, keyId: SYSTEM_ACTOR, scopes: [] },
  });

import {
  type AccountKind,
  type Environment,
  type EventCause,
  type IdPrefix,
  type Principal,
  SYSTEM_ACTOR,
} from '@swim/contracts';
import { Deadline } from './deadline.js';
import { currentEnvironment } from './environment.js';
import { newId } from './ids.js';
import { logContext } from './log-context.js';

/** A non-fatal note for the client. Its texts are ASCII, because they travel in a header. */
export interface Warning {
  readonly code: string;
  readonly [detail: string]: string | number | readonly unknown[];
}

/** The context of one request for a use case: its principal, its deadline, and the identity of the work. */
export interface RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  readonly deadline: Deadline;
  /**
   * The idempotency key of the client, which the events of this request name, also those of requests between services.
   */
  readonly idempotencyKey: string | null;
  /**
   * The write takes effect once under this key: the client's key, or one that the gateway generates. It is null in
   * requests between services, which name their step in the input.
   */
  readonly writeKey: string | null;
  /** SHA-256 of method, path and canonical body; present with a key. */
  readonly fingerprint: string | null;
  /** W3C trace context: the client's, unchanged, or that of a span where traces are recorded; null without one. */
  readonly traceparent: string | null;
  /** The network of the client, a /24 or /64; null for the service's own work. */
  readonly network: string | null;
  /** When true, nobody gets e-mails about what this request books or moves. */
  readonly isQuiet: boolean;
  /**
   * When true, this is part of work on many objects: the consequences of each change wait until that work has ended.
   */
  readonly isBulk: boolean;
  /** When true, the request is validated and checked for conflicts, and nothing is stored. */
  readonly dryRun: boolean;
  /**
   * Identifies this work: a run that resumes it after a crash has the same value. Null for work that cannot be
   * repeated.
   */
  readonly opId: string | null;
  /**
   * The seed of the idempotency record: a key that is reused after its record has expired gets another seed. Null
   * without `opId`.
   */
  readonly opSeed: string | null;
  /** Whether an earlier run may already have done part of this work. */
  readonly resumed: boolean;
  /** The number of the run: 1 for the first, incremented by each resumed run. A later run fences off earlier ones. */
  readonly attempt: number;
  /** Non-fatal notes for the client (`meta.warnings`); a handler appends to them. */
  readonly warnings: Warning[];
  /** Returns the id of an object of this work, which is the same in each run. */
  newId(prefix: IdPrefix): string;
}

export type RequestContextSeed = Pick<RequestContext, 'requestId' | 'principal' | 'deadline'> & Partial<RequestContext>;

/** Creates a context without an idempotency record: it is not repeatable, and its ids are random. */
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

/** Documents store `opId` and `opSeed` of the context that changed them. */
export interface StoredWork {
  opId: string | null;
  opSeed: string | null;
}

/**
 * Returns whether stored work belongs to this request, and not to an earlier one with the same key whose record has
 * expired.
 */
export const isOwnWork = (context: RequestContext, { opId, opSeed }: StoredWork): boolean =>
  opId !== null && opId === context.opId && opSeed === context.opSeed;

/** The events of this request name this cause. The service's own work has no request. */
export const causeOf = (context: RequestContext): EventCause => ({
  requestId: context.principal.keyId === SYSTEM_ACTOR ? null : context.requestId,
  idempotencyKey: context.idempotencyKey,
  actor: context.principal.keyId,
  accountId: context.principal.accountId,
  ...(context.principal.actingSchoolId === undefined ? {} : { actingSchoolId: context.principal.actingSchoolId }),
  ...(context.traceparent === null ? {} : { traceparent: context.traceparent }),
  ...(context.isQuiet ? { isQuiet: true } : {}),
});

/** The context in which a request, or what follows from its event, is completed without its client: its events name the same cause. */
export const contextOfCause = (cause: EventCause, deadline: Deadline, kind: AccountKind = 'family'): RequestContext =>
  makeRequestContext({
    requestId: cause.requestId ?? newId('req'),
    idempotencyKey: cause.idempotencyKey,
    traceparent: cause.traceparent ?? null,
    isQuiet: cause.isQuiet ?? false,
    deadline,
    principal: {
      ...{ accountId: cause.accountId, kind, env: currentEnvironment(), keyId: cause.actor, scopes: [] },
      ...(cause.actingSchoolId === undefined ? {} : { actingSchoolId: cause.actingSchoolId }),
    },
  });

type OwnWork = [accountId: string, budgetMs?: number] | [env: Environment, accountId: string, budgetMs?: number];

const BUDGET_MS = 10_000;

/**
 * Creates the context of the service's own work (recovery, sweeps) for the account that owns it, in the environment of the running work
 * unless it names one.
 */
export function systemContext(...[first, second, third]: OwnWork): RequestContext {
  const named = typeof second === 'string' ? { env: first as Environment, accountId: second, budgetMs: third } : null;
  const { env, accountId, budgetMs } = named ?? {
    env: currentEnvironment(),
    accountId: first,
    budgetMs: second as number,
  };
  return makeRequestContext({
    requestId: newId('req'),
    deadline: new Deadline(budgetMs ?? BUDGET_MS),
    // The consequences of an event belong to the trace of the event's request.
    traceparent: logContext()?.traceparent ?? null,
    principal: { accountId, kind: 'family', env, keyId: SYSTEM_ACTOR, scopes: [] },
  });
}

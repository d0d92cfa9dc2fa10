import type { EventCause, IdPrefix, Principal } from '@swim/contracts';
import { Deadline, newId } from '@swim/platform';

/** One request as a story sees it: who asks, how long they wait, and the identity of the work. */
export interface Call {
  readonly requestId: string;
  readonly principal: Principal;
  readonly deadline: Deadline;
  /** Only on the call that the client made; calls between services name their step in the input. */
  readonly idempotencyKey: string | null;
  /** SHA-256 of method, path and canonical body; stands beside a key. */
  readonly fingerprint: string | null;
  /** W3C Trace Context of the client's request, passed on as it came; null without one. */
  readonly traceparent: string | null;
  /** Validate and check for conflicts, keep nothing. */
  readonly dryRun: boolean;
  /** Names this piece of work: the same again when a take-over finishes what a crash left. Null when nobody can repeat it. */
  readonly opId: string | null;
  /** Whether an earlier run may already have done part of this. */
  readonly retaken: boolean;
  /** The id of what this work makes; the same again on a take-over. */
  newId(prefix: IdPrefix): string;
}

/** Stands for the key where a service acts by itself. */
const SYSTEM_ACTOR = 'system';

/** What a call starts from; everything else has a plain default. */
export type CallSeed = Pick<Call, 'requestId' | 'principal' | 'deadline'> & Partial<Call>;

/** Fills in what a call without an idempotency record is: not repeatable, with fresh ids. */
export const makeCall = (seed: CallSeed): Call => ({
  idempotencyKey: null,
  fingerprint: null,
  traceparent: null,
  dryRun: false,
  opId: null,
  retaken: false,
  newId,
  ...seed,
});

/** What the events of this call say of their cause. A call that the service made for itself stands for no request. */
export const causeOf = (call: Call): EventCause => ({
  requestId: call.principal.keyId === SYSTEM_ACTOR ? null : call.requestId,
  idempotencyKey: call.idempotencyKey,
  actor: call.principal.keyId,
  accountId: call.principal.accountId,
});

/** A call that the service makes for itself (recovery, sweeps), in the name of the account whose work it finishes. */
export const systemCall = (env: Principal['env'], accountId: string, budgetMs = 10_000): Call =>
  makeCall({
    requestId: newId('req'),
    deadline: new Deadline(budgetMs),
    principal: { accountId, kind: 'family', env, keyId: SYSTEM_ACTOR, scopes: [] },
  });

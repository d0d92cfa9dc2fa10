import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type Principal, principal as principalSchema } from '@swim/contracts';
import {
  type Answer,
  AppError,
  BUDGET_MS,
  Deadline,
  makeRequestContext,
  type RequestContext,
  sharedClock,
} from '@swim/platform';

/** Names of the NATS headers with a request context and an answer. Bodies are plain JSON. */
export const HEADER = {
  requestId: 'Request-Id',
  principal: 'Principal',
  deadline: 'Deadline',
  idempotencyKey: 'Idempotency-Key',
  fingerprint: 'Fingerprint',
  dryRun: 'Dry-Run',
  traceparent: 'Traceparent',
  network: 'Network',
  error: 'Error',
  pagination: 'Pagination',
  warnings: 'Warnings',
  replayed: 'Replayed',
  retryAfter: 'Retry-After',
  clock: 'Clock',
} as const;

const MAX_REMEMBERED = 5_000;
const LONGEST_MS = 60_000;
const written = new WeakMap<Principal, string>();
const readPrincipals = new Map<string, Principal>();

function writePrincipal(principal: Principal): string {
  const known = written.get(principal);
  if (known) return known;
  const text = JSON.stringify(principal);
  written.set(principal, text);
  return text;
}

// The same few principals arrive repeatedly: each spelling is parsed and validated once.
function readPrincipal(text: string): Principal {
  let principal = readPrincipals.get(text);
  if (principal) return principal;
  principal = principalSchema.parse(JSON.parse(text));
  if (readPrincipals.size >= MAX_REMEMBERED) readPrincipals.clear();
  readPrincipals.set(text, principal);
  return principal;
}

/** Headers of a request that may take `budgetMs` more: the deadline is sent as an instant of the shared clock. */
export function writeRequestContext(context: RequestContext, budgetMs: number): MsgHdrs {
  const out = headers();
  out.set(HEADER.requestId, context.requestId);
  out.set(HEADER.principal, writePrincipal(context.principal));
  out.set(HEADER.deadline, String(sharedClock.inMs(Math.floor(budgetMs)).getTime()));
  if (context.idempotencyKey !== null) out.set(HEADER.idempotencyKey, encodeURIComponent(context.idempotencyKey));
  if (context.fingerprint !== null) out.set(HEADER.fingerprint, context.fingerprint);
  if (context.traceparent !== null) out.set(HEADER.traceparent, context.traceparent);
  if (context.network !== null) out.set(HEADER.network, context.network);
  if (context.dryRun) out.set(HEADER.dryRun, '1');
  return out;
}

// The deadline is the instant that the client set, however long the request was queued.
function readDeadline(text: string): Deadline {
  const latestMs = sharedClock.nowMs() + LONGEST_MS;
  const requestedMs = Number(text);
  return requestedMs > 0 ? Deadline.at(Math.min(requestedMs, latestMs)) : new Deadline(BUDGET_MS.read);
}

/** Reads the request context from a request's headers. */
export function readRequestContext(from: MsgHdrs | undefined): RequestContext {
  if (!from) throw new AppError('internal', { message: 'The request carries no context headers.' });
  const key = from.get(HEADER.idempotencyKey);
  return makeRequestContext({
    requestId: from.get(HEADER.requestId),
    principal: readPrincipal(from.get(HEADER.principal)),
    deadline: readDeadline(from.get(HEADER.deadline)),
    idempotencyKey: key ? decodeURIComponent(key) : null,
    fingerprint: from.get(HEADER.fingerprint) || null,
    traceparent: from.get(HEADER.traceparent) || null,
    network: from.get(HEADER.network) || null,
    dryRun: from.has(HEADER.dryRun),
  });
}

/** Headers of an answer, with a reading of the sender's clock (Unix ms). */
export function answerHeaders(answer: Answer): MsgHdrs {
  const out = headers();
  out.set(HEADER.clock, String(sharedClock.nowMs()));
  if (answer.error) out.set(HEADER.error, '1');
  if (answer.pagination) out.set(HEADER.pagination, answer.pagination);
  if (answer.warnings) out.set(HEADER.warnings, answer.warnings);
  if (answer.replayed) out.set(HEADER.replayed, '1');
  if (answer.retryAfterSeconds !== null) out.set(HEADER.retryAfter, String(answer.retryAfterSeconds));
  return out;
}

/** Reads an answer from a reply. */
export function readAnswer(body: Uint8Array, from: MsgHdrs | undefined): Answer {
  if (!from) return { body, error: false, pagination: null, replayed: false, retryAfterSeconds: null };
  return {
    body,
    error: from.has(HEADER.error),
    pagination: from.get(HEADER.pagination) || null,
    ...(from.has(HEADER.warnings) ? { warnings: from.get(HEADER.warnings) } : {}),
    replayed: from.has(HEADER.replayed),
    retryAfterSeconds: from.has(HEADER.retryAfter) ? Number(from.get(HEADER.retryAfter)) : null,
  };
}

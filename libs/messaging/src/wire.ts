import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type Principal, principal as principalSchema } from '@swim/contracts';
import { AppError, BUDGET_MS, Deadline } from '@swim/platform';
import { type Call, makeCall } from './call.js';

/** Names of the NATS headers that carry a call and its answer. Bodies are plain JSON. */
export const HEADER = {
  requestId: 'Request-Id',
  principal: 'Principal',
  deadline: 'Deadline-Ms',
  idempotencyKey: 'Idempotency-Key',
  fingerprint: 'Fingerprint',
  dryRun: 'Dry-Run',
  traceparent: 'Traceparent',
  error: 'Error',
  pagination: 'Pagination',
  replayed: 'Replayed',
  retryAfter: 'Retry-After',
} as const;

const MAX_REMEMBERED = 5_000;
const written = new WeakMap<Principal, string>();
const readPrincipals = new Map<string, Principal>();

function writePrincipal(principal: Principal): string {
  const known = written.get(principal);
  if (known) return known;
  const text = JSON.stringify(principal);
  written.set(principal, text);
  return text;
}

// The same few principals arrive over and over: each spelling is parsed and checked once.
function readPrincipal(text: string): Principal {
  let principal = readPrincipals.get(text);
  if (principal) return principal;
  principal = principalSchema.parse(JSON.parse(text));
  if (readPrincipals.size >= MAX_REMEMBERED) readPrincipals.clear();
  readPrincipals.set(text, principal);
  return principal;
}

/** Headers of a request that may take `budgetMs` more. */
export function writeCall(call: Call, budgetMs: number): MsgHdrs {
  const out = headers();
  out.set(HEADER.requestId, call.requestId);
  out.set(HEADER.principal, writePrincipal(call.principal));
  out.set(HEADER.deadline, String(Math.floor(budgetMs)));
  if (call.idempotencyKey !== null) out.set(HEADER.idempotencyKey, encodeURIComponent(call.idempotencyKey));
  if (call.fingerprint !== null) out.set(HEADER.fingerprint, call.fingerprint);
  if (call.traceparent !== null) out.set(HEADER.traceparent, call.traceparent);
  if (call.dryRun) out.set(HEADER.dryRun, '1');
  return out;
}

/** Reads the call off a request's headers; the deadline counts from now. */
export function readCall(from: MsgHdrs | undefined): Call {
  if (!from) throw new AppError('internal', { message: 'The request carries no call headers.' });
  const budgetMs = Number(from.get(HEADER.deadline) || BUDGET_MS.read);
  const key = from.get(HEADER.idempotencyKey);
  return makeCall({
    requestId: from.get(HEADER.requestId),
    principal: readPrincipal(from.get(HEADER.principal)),
    deadline: new Deadline(Math.min(budgetMs, 60_000)),
    idempotencyKey: key ? decodeURIComponent(key) : null,
    fingerprint: from.get(HEADER.fingerprint) || null,
    traceparent: from.get(HEADER.traceparent) || null,
    dryRun: from.has(HEADER.dryRun),
  });
}
